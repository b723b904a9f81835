export type JobState =
  | "waiting_for_agent"
  | "waiting_for_slot"
  | "running"
  | "agent_lost"
  | "stopping"
  | "done"
  | "cancelled"
  | "failed"
  | "unknown";

export interface JobStatus {
  readonly state: JobState;
  /** Nothing follows. */
  readonly isTerminal: boolean;
  /** For people: the state, and what it waits for. */
  readonly said: string;
}

export interface StatusFacts {
  /** A number of the later servers, a word of the first ones; null or absent: none. */
  readonly status?: number | string | null | undefined;
  readonly detailedStatus?: string | null | undefined;
  readonly progress?: { readonly done: number; readonly total: number } | null | undefined;
}

const saidOf: Readonly<Record<JobState, string>> = {
  waiting_for_agent: "waiting for an agent: none has connected yet",
  waiting_for_slot: "waiting for a free simulator: an agent is connected, no case is being played",
  running: "running: cases are being played",
  agent_lost: "waiting for an agent: those that were connected are gone",
  stopping: "being stopped",
  done: "done",
  cancelled: "stopped before its end",
  failed: "failed",
  unknown: "in a state that is not known here",
};

const terminal: readonly JobState[] = ["done", "cancelled", "failed"];

/**
 * One state out of the three vocabularies of servers (PROTOCOL 1.2). Only a closed set of words and numbers is the end of a
 * job; whatever is not known is not. A failure counts above all else, also with every case done.
 */
export function readStatus(facts: StatusFacts): JobStatus {
  const state = findState(normalize(facts.status), normalize(facts.detailedStatus));
  const { progress } = facts;
  const words = [facts.status, facts.detailedStatus].filter((word) => word !== null && word !== undefined);
  const named = state === "unknown" && words.length > 0 ? ` (${words.join(", ").slice(0, 60)})` : "";
  const cases = progress ? `, ${progress.done} of ${progress.total} cases done` : "";
  return { state, isTerminal: terminal.includes(state), said: `${saidOf[state]}${named}${cases}` };
}

const byNumber: ReadonlyMap<string, JobState> = new Map([
  ["0", "waiting_for_agent"],
  ["1", "running"],
  ["2", "done"],
  ["3", "cancelled"],
  ["4", "failed"],
  ["5", "stopping"],
]);

/** Those of the first servers, and those of `detailed_status`: each means the same wherever it stands. */
const byWord: ReadonlyMap<string, JobState> = new Map([
  ["pending", "waiting_for_agent"],
  ["queued", "waiting_for_slot"],
  ["running", "running"],
  ["evaluating", "running"],
  ["inference_disconnected", "agent_lost"],
  ["finished", "done"],
  ["completed", "done"],
  ["cancelled", "cancelled"],
  ["failed", "failed"],
]);

/** The number tells a job that was stopped from one that succeeded, the word what a job that goes on waits for. */
function findState(status: string, detail: string): JobState {
  const coarse = byNumber.get(status) ?? byWord.get(status);
  const fine = byWord.get(detail);
  if (coarse === "failed" || fine === "failed") return "failed";
  if (coarse === "cancelled" || coarse === "done") return coarse;
  if (fine === "cancelled" || fine === "done") return fine;
  if (coarse === "stopping") return "stopping";
  return fine ?? (detail === "" ? coarse : undefined) ?? "unknown";
}

function normalize(word: number | string | null | undefined): string {
  return String(word ?? "")
    .trim()
    .toLowerCase();
}
