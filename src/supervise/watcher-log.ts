import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { describeFault } from "../base/error.ts";
import type { Desk } from "./desk.ts";

const MAX_BYTES = 1024 * 1024;

/** Tells of a fault that a step of the watcher met. */
export type TellFault = (step: string, fault: unknown) => void;

/** Writes faults into the watcher's log, a line each with its time; what a step meets again and again, or passes on, is told once. */
export function makeFaultLog(desk: Desk): TellFault {
  const told = new Map<string, string>();
  return (step, fault) => {
    const text = describeFault(fault).replaceAll("\n", " ");
    if ([...told.values()].includes(text)) return;
    told.set(step, text);
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
