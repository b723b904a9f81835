import { SortieError } from "../base/error.ts";
import { isProcessAlive } from "../process/identity.ts";
import { appendEvent } from "../runs/events.ts";
import { judgeRun, type Verdict } from "../runs/judge-run.ts";
import type { HostAnswer, Observation } from "../runs/observe-script.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { changeRun, loadRun, moveRun } from "../runs/run-store.ts";
import { isEnded, type RunState } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { readPidFacts } from "./pid-facts.ts";
import { returnToLine } from "./return-to-line.ts";

/** Asks one host about its live runs, and brings their records up to its answer. */
export async function settleOnHost(desk: Desk, runs: readonly RunRecord[]): Promise<void> {
  // A run that waits for a GPU has nothing on its host yet: only the watcher moves it.
  const started = runs.filter((run) => run.state !== "waiting" && run.state !== "planned");
  if (started.length === 0) return;
  const target = findTargetOf(desk, started[0] as RunRecord);
  const answer = await target.observe(started);
  for (const run of started) {
    const seen = answer?.runs.get(run.id);
    if (!answer || !seen) markSilent(desk, run);
    else await settleSeen(desk, run, seen, answer);
  }
}

async function settleSeen(
  desk: Desk,
  run: RunRecord,
  seen: Observation,
  { facts }: HostAnswer,
): Promise<void> {
  const verdict = judgeRun(seen, facts, {
    launcherAlive: isProcessAlive(run.launcher),
    startIntentAt: run.startIntentAt,
    hasStarted: run.startedAt !== null,
    nowMs: desk.clock.now().getTime(),
    host: run.launcher.host,
  });
  if (!verdict.reachable) return markUnreachable(desk, run);
  if (verdict.mustClose && hasMovedOn(desk, run)) return;
  if (verdict.mustClose && run.waitingFor !== null) return returnToLine(desk, run, run.waitingFor);
  if (verdict.mustClose && !(await isClosed(desk, run))) return;
  const news = { ...readPidFacts(seen, run), reachable: true, observedAt: desk.clock.now().toISOString() };
  if (isEnded(verdict.state)) await endRun(desk, run, verdict, news);
  else keep(desk, run, verdict.state, news);
}

async function endRun(
  desk: Desk,
  run: RunRecord,
  verdict: Verdict,
  facts: Partial<RunRecord>,
): Promise<void> {
  const { explainEnd } = await import("./explain-end.ts"); // its table of symptoms is for ends alone
  const end = await explainEnd(findTargetOf(desk, run), { ...run, ...facts }, verdict);
  const moved = keep(desk, run, verdict.state, { ...facts, ...end });
  if (!moved?.isNew) return; // another process saw the end first
  const { state, endReason } = moved.run;
  appendEvent(desk.store, run.id, "ended", { state, endReason }, desk.clock.now());
}

/** Writes down what was seen; null where the disk is full: then it is kept for this command alone. */
function keep(
  desk: Desk,
  run: RunRecord,
  state: RunState,
  change: Partial<RunRecord>,
): { run: RunRecord; isNew: boolean } | null {
  try {
    const { state: _, ...facts } = change;
    if (state === run.state) return { run: changeRun(desk.store, run.id, facts), isNew: false };
    let isNew = false;
    const moved = moveRun(desk.store, run.id, state, change, () => (isNew = true));
    return { run: moved, isNew };
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "home_unwritable") throw fault;
    desk.unkept.set(run.id, { ...run, ...change, state });
    return null;
  }
}

/** What its launcher did last, and left, came after this record was read: in line, say, nothing is to be closed. */
function hasMovedOn(desk: Desk, run: RunRecord): boolean {
  const { state, startIntentAt } = loadRun(desk.store, run.id);
  return state !== run.state || startIntentAt !== run.startIntentAt;
}

/** false: it started after all, or its folder cannot be written. Then it stays as it is, and is looked at again. */
async function isClosed(desk: Desk, run: RunRecord): Promise<boolean> {
  try {
    return await findTargetOf(desk, run).close(run);
  } catch {
    return false; // one broken folder must not keep the other runs from being seen
  }
}

/** This very machine is not out of reach when it has no time to answer: its runs keep being watched. */
function markSilent(desk: Desk, run: RunRecord): void {
  if (run.kind !== "local") markUnreachable(desk, run);
}

function markUnreachable(desk: Desk, run: RunRecord): void {
  if (run.reachable) keep(desk, run, run.state, { reachable: false });
}
