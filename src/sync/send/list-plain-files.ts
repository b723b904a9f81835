import { walkFiles } from "../walk-files.ts";
import type { FileSink } from "./sort-files.ts";

/** Hands on every file below the project, but for those in folders that are left out. @throws sync_unreadable */
export function listPlainFiles(source: string, sink: FileSink): void {
  const hooks = {
    enters: (folder: Buffer) => sink.enters(folder),
    onMarked: (folder: Buffer) => sink.passOver(folder, { marked: true }),
    onClosed: (folder: Buffer, reason: string) => sink.refuse(folder, reason),
  };
  for (const { path } of walkFiles(source, hooks)) sink.take(path);
}
