import { describeFileKey } from "../describe-wandb.ts";
import type { ScriptDraft } from "../draft-script.ts";
import type { WandbDraft } from "../prepare-wandb.ts";
import type { WandbTerms } from "../wandb-terms.ts";
import { settleForward } from "./choose-way.ts";
import { holdsOurs } from "./holds-ours.ts";

/** What is known of a run whose numbers are forwarded. */
export interface ForwardGround {
  /** As for a run that logs by itself. */
  readonly settled: Omit<WandbTerms, "name" | "variables" | "change" | "way" | "forwarder">;
  /** Where the key lies on this machine. */
  readonly login: WandbTerms["login"];
  /** The program `wandb` on this machine. */
  readonly forwarder: string;
  readonly isMissing: boolean;
}

/** Nothing is written, sent along or set: the run knows nothing of W&B. */
export function planForward(draft: WandbDraft, ground: ForwardGround) {
  const { settled, login, forwarder } = ground;
  const settledHere = { ...settled, ...settleForward(draft, login) };
  return {
    request: draft.request,
    rewrite: null,
    notes: describeForward(draft, ground, settledHere),
    secrets: {},
    makeTerms: (name: string): WandbTerms => ({
      ...{ ...settledHere, name, change: null, way: "forward", forwarder },
      // Its lines of Sortie would log the same a second time.
      variables: { ...(holdsOurs(draft.script) && { WANDB_MODE: "disabled" }) },
    }),
  };
}

function describeForward(
  { script, key, settings }: WandbDraft,
  { isMissing }: ForwardGround,
  { mode, why, login }: Pick<WandbTerms, "mode" | "why" | "login">,
): string[] {
  const place = settings.key?.place ?? "";
  const use = login === "file" ? "sends it from this machine" : "is not used";
  return [
    ...describeReason(script, isMissing),
    ...(mode === "offline"
      ? [`W&B: the run is kept offline, as ${why}; \`sortie wandb sync\` sends it later`]
      : []),
    ...(key === "file" ? [describeFileKey(place, use)] : []),
  ];
}

/** Why no line is written into the script; empty: it was asked for, and nothing speaks against it. */
export function describeReason(script: ScriptDraft | null, isMissing: boolean): string[] {
  if (script?.kind === "refused") {
    const line = script.line === null ? "" : ` (line ${script.line})`;
    return [`W&B: ${script.name} is left as it is: ${script.reason}${line}`];
  }
  if (script?.kind === "done" && script.line !== null)
    return [
      `W&B: ${script.name} logs to it by itself too (${script.by}, line ${script.line}): as another run`,
    ];
  if (script?.kind === "change" && isMissing)
    return [`W&B: ${script.terms.name} is left as it is: the package wandb is not in the run's environment`];
  return [];
}
