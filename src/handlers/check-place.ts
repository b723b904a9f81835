import { readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { SortieError } from "../base/error.ts";
import { findNearest } from "../base/nearest.ts";
import type { HandlerSpec } from "./handler-spec.ts";

/** That the file, or the folder of a module, is there; it is said before anything is started. SortieError `handler_not_found`. */
export function checkPlace(parsed: HandlerSpec, spec: string) {
  const file = parsed.file;
  const place = file ?? (parsed.language === "python" ? parsed.folder : "");
  const stats = statSync(place, { throwIfNoEntry: false });
  if (file === undefined ? stats?.isDirectory() : stats?.isFile()) return;
  const reason = `there is no ${file === undefined ? "folder" : "file"} ${place}`;
  throw new SortieError("handler_not_found", { spec, reason, advice: adviseName(place) });
}

function adviseName(place: string): string {
  const nearest = findNearest(basename(place), listFiles(dirname(place)));
  if (nearest !== undefined) return `Did you mean ${nearest}? It is in ${dirname(place)}.`;
  return "Relative paths start at the working folder; correct the path, or go to the folder where it starts.";
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // that folder is not there either
  }
}
