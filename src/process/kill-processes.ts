import type { Clock } from "../base/clock.ts";
import { findMarkedProcesses, type LiveProcess, loadProcessTree } from "./process-tree.ts";

const LOOK_EVERY_MS = 10;
/** After a KILL only a process that the kernel holds is left for longer. */
const LEAVE_AFTER_MS = 2000;
/** A process that becomes another program at this moment shows no environment. */
const EMPTY_LOOKS = 2;

/** Kills every process whose environment began with this assignment; resolves when they are gone. Linux only. */
export function killMarked(assignment: string, clock: Clock): Promise<void> {
  return killFound(() => findMarkedProcesses(assignment), clock);
}

/** Kills these processes and all that they started; resolves when they are gone. */
export function killTrees(pids: readonly number[], clock: Clock): Promise<void> {
  const roots = new Set(pids); // what was found stays one: whose parent is gone is not found from it any more
  const find = async () => {
    const found = (await Promise.all([...roots].map(loadProcessTree))).flat();
    for (const { pid } of found) roots.add(pid);
    return found;
  };
  return killFound(find, clock);
}

/** Looks again after each KILL, since a process may start others until it is hit. */
async function killFound(find: () => Promise<LiveProcess[]>, clock: Clock) {
  const deadlineMs = clock.monotonicMs() + LEAVE_AFTER_MS;
  for (let emptyLooks = 0; emptyLooks < EMPTY_LOOKS && clock.monotonicMs() < deadlineMs; ) {
    const found = await find();
    for (const { pid } of found) killProcess(pid);
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0;
    await clock.sleep(LOOK_EVERY_MS);
  }
}

function killProcess(pid: number) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended meanwhile
  }
}
