import { checkState } from "../../challenge/save-state.ts";
import type { StateName } from "../../challenge/state-file.ts";
import type { Contest } from "./open-contest.ts";

/** The variables that hold the handle of the current job. */
export const jobVariables = ["JOB_ID", "JOB_UUID", "JOB_TOKEN", "PARALLELISM", "TUNNEL_ENDPOINT"] as const;

/** Before something is done whose outcome could not be kept after. @throws state_file_unreadable, state_file_broken */
export function checkStateFile({ desk }: Contest, names: readonly StateName[] = jobVariables): void {
  checkState(desk.env, names);
}
