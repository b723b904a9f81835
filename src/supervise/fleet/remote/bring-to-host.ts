import type { RunRecord } from "../../../runs/run-record.ts";
import type { SentCode } from "../../../targets/target.ts";
import type { Desk } from "../../desk.ts";
import { findAddress, makeTarget } from "../../find-target.ts";
import { bringCode } from "../../launch-run.ts";
import type { Plan } from "../../plan.ts";
import { loadCode } from "../../remote/load-code.ts";
import type { FleetTerms } from "../fleet-terms.ts";
import { sendAgent } from "./send-agent.ts";

/**
 * Brings to the host of a fleet what its agents need there: the program that serves their handler, and the project's code,
 * whose steps go on the record of `run`, the first of them. null: they run on this machine.
 * @throws what keeps it from getting there
 */
export async function bringToHost(
  desk: Desk,
  { agent }: FleetTerms,
  { pattern, run }: { pattern: Plan; run: RunRecord },
): Promise<SentCode | null> {
  const { remote, jobDir, request } = pattern.terms;
  if (!remote) return null;
  const target = makeTarget(desk, findAddress(pattern.terms), { jobDir });
  if (agent) await sendAgent(desk, target, agent);
  const launch = {
    plan: pattern,
    target,
    gpuCandidates: [],
    variables: null,
    env: desk.env,
    byContent: true,
  };
  const code = loadCode(desk, { id: pattern.id, remote, results: request.results });
  return bringCode(desk, run, { ...launch, code }, () => undefined);
}
