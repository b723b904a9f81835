import type { RunRecord } from "../../runs/run-record.ts";
import { isEnded } from "../../runs/states.ts";
import type { Fleet } from "./fleet.ts";
import { type AgentNews, findMedian } from "./fold-news.ts";
import type { AgentFiles } from "./read-agent.ts";

/**
 * `unknown`: a program that is not ours, and has not said that it runs. `silent`: it was started, and its host does not
 * answer.
 */
export type AgentViewState =
  | "waiting"
  | "starting"
  | "queued"
  | "warmup"
  | "running"
  | "redialing"
  | "draining"
  | "drained"
  | "failed"
  | "stopped"
  | "unknown"
  | "silent";

/** An agent of a fleet as it is seen now. What is not known is null. Times are ISO 8601 UTC. */
export interface AgentView {
  readonly number: number;
  /** The run's name; its id. */
  readonly run: string;
  readonly runId: string;
  /** `0`, the index; where that is not known, the UUID. */
  readonly gpu: string | null;
  readonly state: AgentViewState;
  /** An attempt of it was started. */
  readonly hasStarted: boolean;
  /** The attempt that runs, or was the last, was up once. */
  readonly wasReady: boolean;
  readonly agentId: string | null;
  readonly attempt: number;
  readonly restarts: number;
  readonly sessions: number | null;
  /** Cases that it plays at this moment. */
  readonly inFlight: number;
  readonly frames: number | null;
  /** Half of its last frames took no longer, from the observation to the reply. */
  readonly p50Ms: number | null;
  readonly lastNewsAt: string | null;
  readonly exitCode: number | null;
  /** What a person should know of it. */
  readonly note: string | null;
}

/** A second's fraction is not in the record of an end, and its next start is seconds later. */
const END_ROUNDING_MS = 1500;

/**
 * `isServed`: the challenge says that the job has its agent, and this is the only one. `files` null: its host does not
 * answer.
 */
export function judgeAgent(
  run: RunRecord,
  files: AgentFiles | null,
  fleet: Pick<Fleet, "runner">,
  isServed: boolean,
): AgentView {
  const { news = null, isCounted = false, logEnds = "" } = files ?? {};
  const own = news !== null && isOfAttempt(run, news) ? news : null;
  const said = own?.state ?? (news === null && fleet.runner.kind === "script" ? readLog(logEnds) : null);
  const quiet =
    fleet.runner.kind === "script" && news === null ? (isServed ? "running" : "unknown") : "starting";
  const state = nameState(run, files === null ? "silent" : (said ?? quiet));
  const { seat } = run;
  return {
    ...{ number: seat?.number ?? 0, run: run.name, runId: run.id, gpu: nameSeatGpu(run), state },
    hasStarted: run.startedAt !== null,
    wasReady: own?.wasReady ?? (isServed || /\bRUNNING\b/.test(logEnds)),
    agentId: own?.agentId ?? seat?.agentId ?? null,
    ...{ attempt: run.attempt, restarts: seat?.restarts ?? 0 },
    sessions: isCounted ? (news?.sessions ?? null) : null,
    inFlight: isEnded(run.state) ? 0 : (own?.open.length ?? 0),
    frames: isCounted ? (news?.frames ?? null) : null,
    p50Ms: news === null ? null : findMedian(news.recentMs),
    lastNewsAt: findHomeTime(run, news?.lastNewsAt ?? run.endedAt ?? run.startedAt),
    exitCode: run.exitCode,
    note: findNote(run, state, own),
  };
}

/** Whatever comes from the host is by its clock. */
function findHomeTime({ clockSkewS = 0 }: RunRecord, time: string | null): string | null {
  if (time === null || clockSkewS === 0) return time;
  return new Date(Date.parse(time) - clockSkewS * 1000).toISOString();
}

/** What an earlier attempt told is no news of this one. */
function isOfAttempt({ seat }: RunRecord, { bornAt }: AgentNews): boolean {
  if (!seat?.attemptEndedAt || bornAt === null) return true;
  return Date.parse(bornAt) > Date.parse(seat.attemptEndedAt) + END_ROUNDING_MS;
}

function nameState(run: RunRecord, said: AgentViewState): AgentViewState {
  switch (run.state) {
    case "planned":
    case "waiting":
      return "waiting";
    case "preparing":
      return "starting";
    case "running":
      return said;
    case "succeeded":
      return "drained";
    case "stopped":
      return "stopped";
    default:
      return "failed";
  }
}

const LOG_STATES = {
  QUEUED: "queued",
  WARMUP: "warmup",
  RUNNING: "running",
  DRAINING: "draining",
} as const;

/** The last of the protocol's states that stands in a log, in capitals as the challenge's own program writes them. */
function readLog(logEnds: string): AgentViewState | null {
  const name = logEnds.match(/\b(?:QUEUED|WARMUP|RUNNING|DRAINING)\b/g)?.at(-1);
  return name === undefined ? null : LOG_STATES[name as keyof typeof LOG_STATES];
}

function nameSeatGpu({ seat }: RunRecord): string | null {
  const { index = null, uuid = null } = seat?.gpu ?? {};
  return index === null ? uuid : String(index);
}

function findNote(run: RunRecord, state: AgentViewState, own: AgentNews | null): string | null {
  if (state === "waiting") return run.waitingFor;
  if (state === "redialing") return own?.lastWords ?? null;
  if (state === "silent") return `its host does not answer${run.silence ? `: ${run.silence.reason}` : ""}`;
  if (!isEnded(run.state) || state === "drained") return null;
  // What an agent says at an end of its own is more than its exit code.
  return run.endReason === "exited" ? (own?.lastWords ?? run.cause) : (run.cause ?? own?.lastWords ?? null);
}
