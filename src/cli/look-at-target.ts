import { SortieError } from "../base/error.ts";
import { chooseTargetFor, type TargetChoice } from "../supervise/choose-target.ts";
import type { Desk } from "../supervise/desk.ts";
import { type EnvironmentSight, lookAtEnvironment } from "../supervise/environment/look-at-environment.ts";
import type { Io } from "./io.ts";
import { reportTrust } from "./report-trust.ts";

/**
 * Looks at the environment of a target; where no file says where work runs, on this machine. A number: lines must be
 * trusted first, and that is the exit code.
 */
export async function lookAtTarget(
  io: Io,
  desk: Desk,
  wish: {
    readonly target: string | undefined;
    readonly wanted: string | undefined;
    readonly asksGpus: boolean;
  },
): Promise<EnvironmentSight | number> {
  const chosen = await chooseTarget(io, desk, wish.target ?? null);
  if ("trust" in chosen) return reportTrust(io, chosen);
  return lookAtEnvironment(desk, chosen.target, { wanted: wish.wanted ?? null, asksGpus: wish.asksGpus });
}

export async function chooseTarget(io: Io, desk: Desk, wanted: string | null): Promise<TargetChoice> {
  try {
    return await chooseTargetFor(desk, { cwd: io.cwd, wanted });
  } catch (fault) {
    if (wanted !== null || !(fault instanceof SortieError) || fault.code !== "target_missing") throw fault;
    return chooseTargetFor(desk, { cwd: io.cwd, wanted: "local" });
  }
}
