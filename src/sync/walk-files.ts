import { type Dirent, existsSync, readdirSync } from "node:fs";
import { describeFault } from "../base/error.ts";
import { makePlace } from "./byte-paths.ts";
import { hasFolderMark } from "./generated-files.ts";

export type EntryKind = "file" | "link" | "special";

export interface WalkedFile {
  /** In bytes, relative to the top of the walk. */
  readonly path: Buffer;
  readonly kind: EntryKind;
}

/** What is asked and told on a walk. Folders' paths are relative to its top and end with a slash; the top is empty. */
export interface WalkHooks {
  /** Whether the folder is looked into; asked before it is read. */
  enters(folder: Buffer): boolean;
  /** Told of a folder that proved to be a program's own and is passed over. Absent: such folders are walked too. */
  onMarked?(folder: Buffer): void;
  onClosed(folder: Buffer, reason: string): void;
}

/** Every file, link and special file below a folder, in no order; links are not followed. */
export function* walkFiles(
  top: string,
  hooks: WalkHooks,
  from: Buffer = Buffer.alloc(0),
): Generator<WalkedFile> {
  const waiting = [from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = listEntries(makePlace(top, folder));
    if (typeof entries === "string") {
      hooks.onClosed(folder, entries);
      continue;
    }
    if (hooks.onMarked && folder.length > 0 && isMarkedFolder(makePlace(top, folder))) {
      hooks.onMarked(folder);
      continue;
    }
    for (const entry of entries) {
      const path = Buffer.concat([folder, entry.name]);
      if (!entry.isDirectory()) yield { path, kind: findKind(entry) };
      else {
        const inner = Buffer.concat([path, Buffer.from("/")]);
        if (hooks.enters(inner)) waiting.push(inner);
      }
    }
  }
}

/** What lies in a folder; a text says why it cannot be read. */
function listEntries(folder: Buffer): Dirent<Buffer>[] | string {
  try {
    return readdirSync(folder, { encoding: "buffer", withFileTypes: true });
  } catch (fault) {
    return describeFault(fault);
  }
}

/** @param folder with a slash at its end */
function isMarkedFolder(folder: Buffer): boolean {
  return hasFolderMark((mark) => existsSync(Buffer.concat([folder, Buffer.from(mark)])));
}

function findKind(entry: Dirent<Buffer>): EntryKind {
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "special";
}
