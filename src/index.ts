/** The door `sortie`: what a program may use of Sortie. Names are exported one by one. */
export { makeErrorDocument, SortieError } from "./base/error.ts";
export { confirmAction } from "./supervise/actions/confirm-action.ts";
export { adoptRuns } from "./supervise/adopt-runs.ts";
export { chooseTargetFor } from "./supervise/choose-target.ts";
export { collectRun } from "./supervise/collect-run.ts";
export { confirmPlan } from "./supervise/confirm-plan.ts";
export { closeDesk, type Desk, openDesk } from "./supervise/desk.ts";
export { loadRunNow, loadRuns, type RunRecord } from "./supervise/find-runs.ts";
export { followRun, waitForEnd } from "./supervise/follow-run.ts";
export {
  LAUNCH_STEPS,
  type LaunchStep,
  type OnStep,
  PARK_STEPS,
  WAITING_STEPS,
} from "./supervise/launch-steps.ts";
export { makeRequest, type RunWish } from "./supervise/make-request.ts";
export { planRun } from "./supervise/plan-run.ts";
export { planRental } from "./supervise/rent/plan-rental.ts";
export { executeRental } from "./supervise/rent/run-rental.ts";
export type { Plan } from "./supervise/show-plan.ts";
export { stopRun } from "./supervise/stop-run.ts";
export { watchRuns } from "./supervise/watch-runs.ts";
