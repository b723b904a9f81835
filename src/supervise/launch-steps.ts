/**
 * The steps of a launch, in order. What each will leave behind is on record before it begins, in the database or in the
 * job folder, so that a crash after any of them is settled by whoever comes next: one run or none, never two.
 */
export const LAUNCH_STEPS = [
  "plan_used",
  "environment_ready",
  "folder_made",
  "start_intended",
  "started",
  "recorded",
  "watched",
] as const;

/** The steps of a launch on a host over the network: the code is sent first. */
export const REMOTE_STEPS = [
  "plan_used",
  "sent",
  "environment_ready",
  "folder_made",
  "start_intended",
  "started",
  "recorded",
  "watched",
] as const;

/** The steps of putting a run in line for a GPU. */
export const PARK_STEPS = ["plan_used", "environment_ready", "parked", "watched"] as const;

/** The steps in which the watcher starts a run that waited. */
export const WAITING_STEPS = [
  "taken_up",
  "environment_ready",
  "folder_made",
  "start_intended",
  "started",
  "recorded",
] as const;

/** The step before the code is looked at, where a plan writes W&B logging into a script. */
export const SCRIPT_STEP = "script_written";

export type LaunchStep =
  | typeof SCRIPT_STEP
  | (typeof LAUNCH_STEPS)[number]
  | (typeof REMOTE_STEPS)[number]
  | (typeof PARK_STEPS)[number]
  | (typeof WAITING_STEPS)[number];

/** Called right after a step, when what it leaves is on record. */
export type OnStep = (step: LaunchStep) => void;
