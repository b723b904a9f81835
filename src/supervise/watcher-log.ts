import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { describeFault } from "../base/error.ts";
import type { Desk } from "./desk.ts";

const MAX_BYTES = 1024 * 1024;

/** Writes faults into the watcher's log, a line each with its time; the same one in a row is told once. */
export function makeFaultLog(desk: Desk): (fault: unknown) => void {
  let last = "";
  return (fault) => {
    const text = describeFault(fault).replaceAll("\n", " ");
    if (text === last) return;
    last = text;
    writeLine(desk.home.watcherLog, `${desk.clock.now().toISOString()} ${text}\n`);
  };
}

function writeLine(path: string, line: string): void {
  try {
    const isLong = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES;
    (isLong ? writeFileSync : appendFileSync)(path, line, { mode: 0o600 });
  } catch {
    // a full disk may be the very fault that is to be told
  }
}
