import { countOf } from "../../base/count-of.ts";
import { chooseGpus } from "../../gpus/choose-gpus.ts";
import type { Desk } from "../desk.ts";
import { reserveForWaiting } from "../reserve-gpus.ts";
import type { EnvironmentSight } from "./look-at-environment.ts";

/**
 * The GPUs to verify an environment on, by UUID: those that were named, else all that are free. null: none.
 * @throws gpus_busy and its like, for those that were named
 */
export function chooseVerifyGpus(
  desk: Desk,
  { gpus, host }: EnvironmentSight,
  named: readonly string[],
): { readonly candidates: readonly string[] | null; readonly note: string | null } {
  if (gpus === null) return { candidates: null, note: null };
  const report = reserveForWaiting(desk, gpus, host);
  if (named.length > 0) {
    const choice = chooseGpus(report, { count: "default", gpu: named });
    return { candidates: choice.gpus.flatMap(({ uuid }) => uuid ?? []), note: null };
  }
  const cards = report.gpus.filter(({ uuid }) => uuid !== null);
  const free = cards.flatMap(({ uuid, state }) => (state === "free" && uuid !== null ? [uuid] : []));
  const busy = cards.length - free.length;
  const note = busy === 0 ? null : `${countOf(busy, "GPU")} in use or unknown: not tried now`;
  return { candidates: free.length === 0 ? null : free, note };
}
