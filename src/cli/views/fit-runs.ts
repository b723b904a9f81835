import { isEnded, type RunSummary } from "../../supervise/find-runs.ts";

/** All that live, and as many of the newest ended ones as there is room for. */
export function keepWhatFits<Run extends Pick<RunSummary, "state">>(
  runs: readonly Run[],
  room: number,
): Run[] {
  let left = room - runs.filter((run) => !isEnded(run.state)).length;
  return runs.filter((run) => {
    if (!isEnded(run.state)) return true;
    left -= 1;
    return left >= 0;
  });
}
