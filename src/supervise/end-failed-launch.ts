import { describeFault, SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { loadRun, moveRun } from "../runs/run-store.ts";
import type { Target } from "../targets/target.ts";
import type { Desk } from "./desk.ts";
import { waitForEnd } from "./follow-run.ts";
import { isGpuTaken } from "./launch-run.ts";

const LAST_WORD_MS = 2000;

/**
 * What could not be started is made sure never to start, and says why; what started after all goes on. true: it may be
 * running, or may start yet, since nothing could be made sure of.
 */
export async function endFailedLaunch(
  desk: Desk,
  run: RunRecord,
  target: Target,
  fault: unknown,
): Promise<boolean> {
  try {
    if (await target.close(run)) {
      await recordFailure(desk, run, fault);
      return false;
    }
    // A supervisor whose GPU was taken is just about to write its end.
    const ended = await waitForEnd(desk, run.id, { timeoutMs: isGpuTaken(fault) ? LAST_WORD_MS : 0 });
    return ended === null;
  } catch {
    // A full disk, as a rule: the next command that looks settles it.
    const known = findKnown(desk, run);
    if (known === null || known.waitingFor !== null) return true; // its next start needs its variables
    // It may be starting this very moment: its variables, its log's pipe and its half-written record are its own. Whoever
    // closes it later removes them.
    if (known.startIntentAt !== null && !isRefused(fault)) return true;
    await forgetQuietly(target, run);
    // Nobody but this launcher could have started it, and that never meant to, or was refused. On a host that was cut
    // off its folder may be there: who brings the run home later removes the values of its variables.
    await recordFailure(desk, run, fault, run.remote ? { results: null } : {});
    return false;
  }
}

function findKnown(desk: Desk, { id }: RunRecord): RunRecord | null {
  try {
    return loadRun(desk.store, id);
  } catch {
    return null; // it cannot be known
  }
}

/** The host has said that it started nothing. */
function isRefused(fault: unknown): boolean {
  return fault instanceof SortieError && fault.code === "launch_refused";
}

async function forgetQuietly(target: Target, run: RunRecord): Promise<void> {
  try {
    await target.tidy(run);
  } catch {
    // there is no folder that could hold them
  }
}

async function recordFailure(
  desk: Desk,
  run: RunRecord,
  fault: unknown,
  more: Partial<RunRecord> = {},
): Promise<void> {
  const { explainUnstarted } = await import("./explain-end.ts"); // its table of symptoms is for ends alone
  const endedAt = desk.clock.now().toISOString();
  const end = explainUnstarted(run, { endReason: "launch_failed", endedAt, evidence: describeFault(fault) });
  const nextStep = fault instanceof SortieError ? fault.hint : end.nextStep;
  try {
    moveRun(desk.store, run.id, "failed", { ...end, nextStep, ...more });
  } catch {
    // its folder says that it never starts: the next command puts that on record
  }
}
