import { describeFileKey } from "../describe-wandb.ts";
import type { WandbDraft } from "../prepare-wandb.ts";
import type { WandbTerms } from "../wandb-terms.ts";
import { describeReason } from "./plan-forward.ts";

export const NO_FORWARDER =
  "W&B: no program `wandb` is on this machine, which could forward the numbers of its log: they stay in `sortie show`";

/** What a person should know of a run whose numbers were to be forwarded, where nothing can: W&B gets none of them. */
export function describeWithout(
  { script, key, settings }: WandbDraft,
  { login, isMissing }: Pick<WandbTerms, "login"> & { readonly isMissing: boolean },
): string[] {
  const use = login === "file" ? "goes with the run in a private file" : "is not used";
  return [
    ...describeReason(script, isMissing),
    NO_FORWARDER,
    ...(key === "file" ? [describeFileKey(settings.key?.place ?? "", use)] : []),
  ];
}
