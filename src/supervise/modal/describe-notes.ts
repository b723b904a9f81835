import { isSecretName } from "../../base/secret-name.ts";
import { isOld, type ModalPrices } from "../../targets/modal/prices.ts";
import type { WandbSettings } from "../choose-target.ts";
import type { PlanTerms } from "../plan.ts";
import { isInside } from "./draft-sent.ts";
import type { ModalCost, ModalTerms } from "./modal-terms.ts";

/** What a person should know before saying yes. */
export function describeNotes(
  { request, code }: Pick<PlanTerms, "request" | "code">,
  given: {
    readonly modal: ModalTerms;
    readonly prices: ModalPrices;
    readonly now: Date;
    readonly variables: Readonly<Record<string, string>>;
    readonly wandb: WandbSettings | null;
  },
): string[] {
  const { modal, prices, now } = given;
  const isLauncher = modal.kind === "launcher";
  const left = request.results.filter((pattern) => !isInside(pattern));
  const names = Object.keys(given.variables);
  return [
    ...(modal.cost === null ? [] : [describeBasis(modal.cost)]),
    ...(isOld(prices, now)
      ? [`these prices are of ${prices.asOf}: look at modal.com/pricing, and see docs/modal.md`]
      : []),
    ...(modal.cost !== null && modal.kind === "own app"
      ? ["it is the cost of one call: an app may make several at a time"]
      : []),
    ...(code.kind === "none"
      ? ["the code is in no git repository: what ran is not recorded as a commit"]
      : []),
    ...(isLauncher ? [] : modal.volumes.map(describeVolume)),
    ...(left.length > 0 && isLauncher
      ? [`${left.join(", ")} lie outside of the container's code folder, and are not brought home`]
      : []),
    ...(given.wandb === null ? [] : [describeWandb(isLauncher)]),
    ...(names.length > 0 ? [describeVariables(names, isLauncher)] : []),
  ];
}

function describeWandb(isLauncher: boolean): string {
  const told = isLauncher ? ", and gets its project and the run's name" : "";
  return `wandb: the script logs by itself with WANDB_API_KEY of one of its secrets${told}; Sortie writes nothing into it`;
}

function describeVolume(volume: string): string {
  return `what it writes on the volume ${volume} stays there: \`modal volume ls ${volume}\`, \`modal volume get ${volume} PATH\``;
}

function describeBasis({ basis }: ModalCost): string {
  return `the cost is an estimate (${basis}); free credits and prices by region are not counted`;
}

function describeVariables(names: readonly string[], isLauncher: boolean): string {
  const secret = names.some(isSecretName) ? "; values are kept in a private file" : "";
  const where = isLauncher
    ? "the command gets them at Modal"
    : "only what the app does on this machine sees them";
  return `variables given: ${names.join(", ")}: ${where}${secret}`;
}
