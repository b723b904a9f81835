import type { RunRecord, RunRequest } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";

const LOOK_BACK = 200;

/** How long the run will take: as the person said, else as earlier runs of the same command took (the median). */
export function estimateDuration(
  desk: Desk,
  request: RunRequest,
): { seconds: number | null; source: "flag" | "earlier_runs" | "unknown" } {
  if (request.expectS !== null) return { seconds: request.expectS, source: "flag" };
  const durations = listEarlier(desk, request)
    .flatMap((run) => run.durationS ?? [])
    .sort((one, other) => one - other);
  const median = durations[Math.floor(durations.length / 2)];
  return median === undefined
    ? { seconds: null, source: "unknown" }
    : { seconds: median, source: "earlier_runs" };
}

/** Runs of the same command that succeeded, the newest first. */
export function listEarlier(desk: Desk, request: RunRequest): RunRecord[] {
  const command = JSON.stringify(request.command);
  return desk.store
    .list("SELECT body FROM runs WHERE live = 0 ORDER BY created_at DESC LIMIT ?", LOOK_BACK)
    .map((row) => JSON.parse(row["body"] as string) as RunRecord)
    .filter((run) => run.state === "succeeded" && JSON.stringify(run.request.command) === command);
}
