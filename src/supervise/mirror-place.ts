import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path/posix";
import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";

/** Where the copy of a file of a run's job folder grows on this machine. */
export function findMirrorPlace(
  { home }: Pick<Desk, "home">,
  { id, jobFolder }: Pick<RunRecord, "id" | "jobFolder">,
  path: string,
): string {
  return join(home.mirror, id, relative(jobFolder, path));
}

/** The file that says, beside such a copy, from where on it is whole; where it is not there, all of it is. */
export function findGapMark(place: string): string {
  return `${place}.from`;
}

/** Where in such a copy the gap ends; 0: there is none. */
export function readGapEnd(place: string): number {
  try {
    return Number.parseInt(readFileSync(findGapMark(place), "utf8"), 10) || 0;
  } catch {
    return 0; // there is no gap
  }
}

export function removeMirror({ home }: Pick<Desk, "home">, id: string): void {
  rmSync(join(home.mirror, id), { recursive: true, force: true });
}
