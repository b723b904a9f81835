import { SortieError } from "../base/error.ts";
import { isProcessAlive } from "../process/identity.ts";
import { judgeRun } from "../runs/judge-run.ts";
import type { HostAnswer, Observation } from "../runs/observe-script.ts";
import { readAttempt } from "../runs/read-attempt.ts";
import type { RunRecord, Silence } from "../runs/run-record.ts";
import { loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { endAttempt } from "./end-attempt.ts";
import { findTargetOf } from "./find-target.ts";
import { findSkewS } from "./host-clock.ts";
import { keepSeen } from "./keep-seen.ts";
import { readPidFacts } from "./pid-facts.ts";
import { returnToLine } from "./return-to-line.ts";
import { makeSilence } from "./silence.ts";

/**
 * Asks one host about its live runs, and brings their records up to its answer. `patienceMs` is for a host over the
 * network; this machine has its own. false: it was asked and did not answer, from which nothing follows for its runs.
 */
export async function settleOnHost(
  desk: Desk,
  runs: readonly RunRecord[],
  { patienceMs, mayMove = true }: { patienceMs?: number; mayMove?: boolean } = {},
): Promise<boolean> {
  // A run that waits for a GPU has nothing on its host yet: only the watcher moves it.
  const started = runs.filter((run) => run.state !== "waiting" && run.state !== "planned");
  const [first] = started;
  if (first === undefined) return true;
  let answer: HostAnswer | null;
  try {
    answer = await findTargetOf(desk, first).observe(started, first.remote ? { timeoutMs: patienceMs } : {});
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    const { hasMoved, silence } = await findSilence(desk, started, { fault, patienceMs });
    if (hasMoved && mayMove) {
      const moved = started.map(({ id }) => loadRun(desk.store, id));
      return settleOnHost(desk, moved, { ...(patienceMs && { patienceMs }), mayMove: false });
    }
    for (const run of started) markUnreachable(desk, run, silence);
    return false;
  }
  await settleByAnswer(desk, started, answer);
  return answer !== null;
}

/** Why a host keeps its answer; of a rented machine its vendor knows more, and where it is now. */
async function findSilence(
  desk: Desk,
  runs: readonly RunRecord[],
  call: { readonly fault: SortieError; readonly patienceMs?: number | undefined },
): Promise<{ readonly hasMoved: boolean; readonly silence: Silence }> {
  if (runs[0]?.kind !== "vast") return { hasMoved: false, silence: makeSilence(call.fault) };
  const { lookForInstance } = await import("./rent/look-for-instance.ts"); // few runs are on such machines
  return lookForInstance(desk, runs, call);
}

/** Brings the records of runs up to what their host has answered; null: it did not. */
export async function settleByAnswer(
  desk: Desk,
  runs: readonly RunRecord[],
  answer: HostAnswer | null,
): Promise<void> {
  for (const run of runs) {
    const seen = answer?.runs.get(run.id);
    if (!answer || !seen) markSilent(desk, run);
    else await settleSeen(desk, run, seen, answer);
  }
}

async function settleSeen(
  desk: Desk,
  known: RunRecord,
  newest: Observation,
  { facts }: HostAnswer,
): Promise<void> {
  // Another process may have begun the attempt that is seen after this record was read.
  const run = newest.attempt > known.attempt ? loadRun(desk.store, known.id) : known;
  const seen = readAttempt(newest, run.attempt);
  const verdict = judgeRun(seen, facts, {
    launcherAlive: isProcessAlive(run.launcher),
    startIntentAt: run.startIntentAt,
    hasStarted: hasStarted(run),
    nowMs: desk.clock.now().getTime(),
    // A name in an ssh configuration may stand for several hosts: which one it was then is not known.
    host: run.remote ? facts.host : run.launcher.host,
  });
  if (!verdict.reachable) return markUnreachable(desk, run, explainReplaced(run));
  if (verdict.mustClose && hasMovedOn(desk, run)) return;
  if (verdict.mustClose && run.waitingFor !== null) return returnToLine(desk, run, run.waitingFor);
  if (verdict.mustClose && !(await isClosed(desk, run))) return;
  const news = {
    ...readPidFacts(seen, run),
    reachable: true,
    silence: null,
    observedAt: desk.clock.now().toISOString(),
    ...(run.remote ? { clockSkewS: findSkewS(facts.now, desk.clock.now()) } : {}),
  };
  if (!isEnded(verdict.state)) keepSeen(desk, run, verdict.state, news);
  else await endAttempt(desk, run, { seen, verdict, news });
}

/** The time on record may be that of an earlier attempt. */
function hasStarted({ state, attempt, startedAt }: RunRecord): boolean {
  return attempt === 1 ? startedAt !== null : state === "running";
}

/** What its launcher did last, and left, came after this record was read: in line, say, nothing is to be closed. */
function hasMovedOn(desk: Desk, run: RunRecord): boolean {
  const { state, startIntentAt } = loadRun(desk.store, run.id);
  return state !== run.state || startIntentAt !== run.startIntentAt;
}

/** A host over the network that answers under the same name, and is another machine or container than before. */
function explainReplaced({ remote, host, name }: RunRecord): Silence | null {
  return remote ? makeSilence(new SortieError("host_replaced", { host, run: name })) : null;
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
  if (run.remote) markUnreachable(desk, run);
}

/** The last known state stands, with the time of that news. */
function markUnreachable(desk: Desk, run: RunRecord, silence: Silence | null = null): void {
  if (!run.reachable && silence?.reason === run.silence?.reason) return;
  keepSeen(desk, run, run.state, { reachable: false, silence });
}
