/** Where a run is in its life. The last four are ends. */
export const RUN_STATES = [
  "planned",
  "waiting",
  "preparing",
  "running",
  "succeeded",
  "failed",
  "stopped",
  "lost",
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Why a run ended: a closed list, each with its evidence and next step in the table of diagnoses. */
export const END_REASONS = [
  "exited",
  "signal",
  "oom",
  "time_limit",
  "disk_full",
  "host_restarted",
  "container_restarted",
  "supervisor_killed",
  "never_started",
  "gpu_taken",
  "launch_failed",
  "stopped",
  "hang_up",
  "unknown",
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A reason that somebody wrote into a job folder; one that is not of the list is `unknown`. */
export function readEndReason(text: string | undefined): EndReason {
  return END_REASONS.find((reason) => reason === text) ?? "unknown";
}

const ENDS: readonly RunState[] = ["succeeded", "failed", "stopped", "lost"];

const MOVES: Readonly<Record<RunState, readonly RunState[]>> = {
  planned: ["waiting", "preparing", "failed", "stopped"],
  waiting: ["preparing", "failed", "stopped"],
  preparing: ["waiting", "running", ...ENDS],
  // An attempt has ended, and the next one waits for its start.
  running: ["waiting", ...ENDS],
  succeeded: [],
  failed: [],
  stopped: [],
  lost: [],
};

export function isEnded(state: RunState): boolean {
  return ENDS.includes(state);
}

/** Ends are final: the first one holds, whatever is observed later. */
export function isLegalMove(from: RunState, to: RunState): boolean {
  return MOVES[from].includes(to);
}
