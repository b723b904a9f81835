import { listEvents } from "../../runs/events.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { moveRun } from "../../runs/run-store.ts";
import { type EndReason, readEndReason } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { forgetSecrets } from "../forget-secrets.ts";
import { stopRun } from "../stop-run.ts";

/**
 * Ends the agents that wait and are not to be started any more: one that never was is stopped, one that was killed has
 * failed with the end of its last attempt. `why`: a clause for people.
 */
export async function dismissSeats(desk: Desk, runs: readonly RunRecord[], why: string): Promise<void> {
  for (const run of runs.filter(({ state }) => state === "waiting")) {
    if (!(await findTargetOf(desk, run).close(run))) {
      await stopRun(desk, run.id, { graceS: null, by: "sortie" }); // it was started after all
      continue;
    }
    const isMeant = ({ attempt, state }: RunRecord) => attempt === run.attempt && state === "waiting";
    const { state, ...end } = run.startedAt === null ? endUnstarted(desk, why) : endKilled(desk, run, why);
    const ended = moveRun(desk.store, run.id, state, end, isMeant);
    await forgetSecrets(desk, ended);
  }
}

type End = Partial<RunRecord> & { readonly state: "stopped" | "failed" };

function endUnstarted(desk: Desk, why: string): End {
  return {
    ...{ state: "stopped", endReason: "stopped", endedAt: desk.clock.now().toISOString(), waitingFor: null },
    ...{ cause: `it was not started: ${why}`, nextStep: null, results: [] },
  };
}

interface AttemptEnd {
  readonly endReason: string | null;
  readonly exitCode: number | null;
  readonly cause: string | null;
  readonly evidence: string | null;
}

function endKilled(desk: Desk, run: RunRecord, why: string): End {
  const last = listEvents(desk.store, run.id).findLast(({ kind }) => kind === "attempt_ended")?.body;
  const { endReason, exitCode, cause, evidence } = (last ?? {}) as Partial<AttemptEnd>;
  const reason: EndReason = endReason ? readEndReason(endReason) : "signal";
  return {
    ...{ state: "failed", endReason: reason, exitCode: exitCode ?? null, evidence: evidence ?? null },
    endedAt: run.seat?.attemptEndedAt ?? desk.clock.now().toISOString(),
    cause: `${(cause ?? "it was killed").replace(/\.$/, "")}; it was not started again: ${why}`,
    ...{ nextStep: null, waitingFor: null },
  };
}
