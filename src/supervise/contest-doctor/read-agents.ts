import { existsSync } from "node:fs";
import { describeFault } from "../../base/error.ts";
import type { AgentSymptoms, AttemptEnd, ContestSymptoms } from "../../diagnosis/contest-symptoms.ts";
import { findHome } from "../../disk/home.ts";
import { listEvents } from "../../runs/events.ts";
import { readLogEnd } from "../../runs/log-source.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { listRuns } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import { findKnownJob, type KnownJob } from "../contest/known-jobs.ts";
import { closeDesk, type Desk, type Environment, openDesk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { listFleets } from "../fleet/fleet-store.ts";
import { judgeAgent } from "../fleet/judge-agent.ts";
import { readAgent } from "../fleet/read-agent.ts";
import { settleRuns } from "../settle-runs.ts";

interface AgentsLook extends Pick<ContestSymptoms, "agents" | "agentsFault"> {
  /** What came with the job when it was submitted from here; null: it was not. */
  readonly known: KnownJob | null;
}

const TAIL_BYTES = 64 * 1024;

/** The agents of this job that Sortie has started here: those of its newest fleet, and runs of their own. Never throws. */
export async function readAgents(
  jobUuid: string | null,
  options: { env: Environment; self: readonly string[] },
): Promise<AgentsLook> {
  const none = { agents: [], agentsFault: null, known: null };
  if (jobUuid === null || !existsSync(findHome(options.env).database)) return none;
  let desk: Desk | null = null;
  try {
    desk = openDesk(options);
    await settleRuns(desk);
    const known = findKnownJob(desk, { uuid: jobUuid });
    return { agents: await readAll(desk, jobUuid), agentsFault: null, known };
  } catch (fault) {
    return { ...none, agentsFault: describeFault(fault) };
  } finally {
    if (desk !== null) closeDesk(desk);
  }
}

async function readAll(desk: Desk, jobUuid: string): Promise<AgentSymptoms[]> {
  const fleets = listFleets(desk.store).filter((fleet) => fleet.jobUuid === jobUuid);
  const [newest] = fleets;
  const runs = listRuns(desk.store);
  const inFleet = runs.filter(({ id }) => newest?.runs.includes(id)).reverse();
  const alone = runs.filter((run) => !run.seat && run.request.command.includes(jobUuid)).slice(0, 8);
  const byNumber = inFleet.sort((one, other) => (one.seat?.number ?? 0) - (other.seat?.number ?? 0));
  return Promise.all([...byNumber, ...alone].map((run) => readOne(desk, run, newest)));
}

const OWN_RUNNER: Pick<Fleet, "runner"> = {
  runner: { kind: "handler", handler: "", python: null },
};

async function readOne(desk: Desk, run: RunRecord, fleet: Fleet | undefined): Promise<AgentSymptoms> {
  const files = await readAgent(desk, run, null);
  const view = judgeAgent(run, files, run.seat && fleet ? fleet : OWN_RUNNER, false);
  const lastMs = files.news?.lastNewsAt ? Date.parse(files.news.lastNewsAt) : null;
  const words = files.news?.lastWords ?? null;
  return {
    name: run.seat ? `agent ${run.seat.number}` : run.name,
    run: run.name,
    isLive: !isEnded(run.state),
    state: view.state === "silent" ? "unknown" : view.state, // its host has just answered
    sinceS: lastMs === null ? null : Math.round((desk.clock.now().getTime() - lastMs) / 1000),
    ends: listEnds(desk, run),
    logTail: files.logEnds || (await readTail(desk, run)),
    events: words === null ? [] : [words],
  };
}

/** Earlier attempts left an event each, the last one is in the record. */
function listEnds(desk: Desk, run: RunRecord): AttemptEnd[] {
  const earlier = listEvents(desk.store, run.id)
    .filter(({ kind }) => kind === "attempt_ended")
    .map(({ body }) => body as Partial<Omit<AttemptEnd, "reason"> & { endReason: AttemptEnd["reason"] }>)
    .map(({ endReason = "unknown", exitCode = null, cause = null, evidence = null }) => ({
      ...{ reason: endReason, exitCode, cause, evidence, next: null },
    }));
  if (!isEnded(run.state)) return earlier;
  const { endReason, exitCode, cause, evidence, nextStep } = run;
  return [...earlier, { reason: endReason ?? "unknown", exitCode, cause, evidence, next: nextStep }];
}

async function readTail(desk: Desk, run: RunRecord): Promise<string> {
  try {
    return await readLogEnd(findTargetOf(desk, run).openFile(run.log), TAIL_BYTES);
  } catch {
    return ""; // a log that is gone shows nothing; the record still says how it ended
  }
}
