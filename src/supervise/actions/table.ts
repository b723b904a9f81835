import type { Action } from "./action.ts";

/** Every action by the name that plans keep. They are loaded when they are confirmed: the others cost nothing. */
const actions: Readonly<Record<string, () => Promise<{ action: Action }>>> = {
  "challenge submit": () => import("../contest/submit-job.ts"),
  "challenge submit --launch": () => import("../contest/launch-submission.ts"),
  "challenge reset": () => import("../contest/reset-job.ts"),
  "gateway user add": () => import("../host/add-user.ts"),
  "gateway user passwd": () => import("../host/change-password.ts"),
  "gateway user quota": () => import("../host/change-limit.ts"),
  "gateway user parallelism": () => import("../host/change-limit.ts"),
  "gateway user rm": () => import("../host/remove-user.ts"),
  "gateway simulator add": () => import("../host/add-simulator.ts"),
  "gateway simulator rm": () => import("../host/remove-simulator.ts"),
  "gateway cancel": () => import("../host/cancel-job.ts"),
  "env build": () => import("../environment/make-ready.ts"),
  "env verify": () => import("../environment/make-ready.ts"),
  "vast run": () => import("../rent/run-rental.ts"),
  "vast destroy": () => import("../rent/plan-destroy.ts"),
  "agents launch": () => import("../fleet/launch-fleet.ts"),
  "gateway requeue": () => import("../host/requeue-cases.ts"),
};

/** undefined for a name of another version of Sortie. */
export async function findAction(name: string): Promise<Action | undefined> {
  return Object.hasOwn(actions, name) ? (await actions[name]?.())?.action : undefined;
}
