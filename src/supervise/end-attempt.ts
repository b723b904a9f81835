import { appendEvent } from "../runs/events.ts";
import type { Verdict } from "../runs/judge-run.ts";
import type { Observation } from "../runs/observe-script.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { keepSeen } from "./keep-seen.ts";

export interface SeenEnd {
  readonly seen: Observation;
  readonly verdict: Verdict;
  /** What the observation says beside the end. */
  readonly news: Partial<RunRecord>;
}

/** Puts the end of an attempt on record: as that of its run, or, for an agent that is started again, as an attempt's alone. */
export async function endAttempt(
  desk: Desk,
  run: RunRecord,
  { seen, verdict, news }: SeenEnd,
): Promise<void> {
  const { explainEnd } = await import("./explain-end.ts"); // its table of symptoms is for ends alone
  const end = await explainEnd(desk, { ...run, ...news }, verdict);
  const ended: RunRecord = { ...run, ...news, ...end };
  const restart = await findRestart(desk, ended, verdict);
  // What the attempt left may hold the GPU, and the agent's id. Its supervisor ends that; where it is dead, the run's end does.
  if (restart !== null && seen.supervisorAlive) keepSeen(desk, run, run.state, { reachable: true });
  else if (restart !== null && seen.carriers.length === 0) putBackInLine(desk, run, { ended, news, restart });
  else await recordEnd(desk, run, verdict, { ...news, ...end });
}

async function findRestart(desk: Desk, ended: RunRecord, verdict: Verdict) {
  if (!ended.seat || verdict.stop !== null) return null;
  const { chooseRestart } = await import("./fleet/choose-restart.ts"); // few runs belong to a fleet
  const { readAgent } = await import("./fleet/read-agent.ts");
  const { news } = await readAgent(desk, ended, null);
  return chooseRestart(ended, verdict, desk.clock.now().getTime(), news?.lastWords);
}

interface Ended {
  /** The run as it would have ended. */
  readonly ended: RunRecord;
  readonly news: Partial<RunRecord>;
  readonly restart: NonNullable<Awaited<ReturnType<typeof findRestart>>>;
}

function putBackInLine(desk: Desk, run: RunRecord, { ended, news, restart }: Ended): void {
  const { attempt, endReason, exitCode, cause, evidence } = ended;
  const next = { attempt: attempt + 1, pid: null, session: null, startIntentAt: null };
  const kept = keepSeen(desk, run, "waiting", { ...news, ...next, ...restart }, attempt);
  if (!kept?.isNew) return;
  const body = { attempt, endReason, exitCode, cause, evidence };
  appendEvent(desk.store, run.id, "attempt_ended", body, desk.clock.now());
}

async function recordEnd(
  desk: Desk,
  run: RunRecord,
  verdict: Verdict,
  facts: Partial<RunRecord>,
): Promise<void> {
  const moved = keepSeen(desk, run, verdict.state, facts);
  if (!moved?.isNew) return; // another process saw the end first
  const { state, endReason } = moved.run;
  appendEvent(desk.store, run.id, "ended", { state, endReason }, desk.clock.now());
  // The tokens of an agent lie there from its first start on.
  if (run.seat) await forgetSecrets(desk, moved.run);
}
