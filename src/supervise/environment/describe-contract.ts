import { countOf } from "../../base/count-of.ts";
import { planTierTwo } from "../../env/tiers/run-tier-two.ts";
import { describeHost } from "../host-name.ts";
import { type ContractTerms, nameContract } from "./contract-terms.ts";

/** What a plan says of the environment, in one line. */
export function describeContract(contract: ContractTerms | null): string {
  if (contract === null) return "not under contract";
  const { action, why, isUnverified, due } = contract;
  const trust = isUnverified ? "unverified, as asked" : due.length === 0 ? "trusted" : describeDue(due);
  return `${nameContract(contract)}: ${action}, ${why}; ${trust}`;
}

/** Everything that is done for it before the run starts, in words. */
export function listContractEffects(contract: ContractTerms, host: string): string[] {
  const { action, due, ledger, spec, build, envsDir } = contract;
  const isBuilt = action === "build" || action === "rebuild";
  const calls = spec.pipPhases.length === 0 ? "" : `, ${countOf(spec.pipPhases.length, "call")} of pip`;
  const made = `${action} the environment ${nameContract(contract)} in ${envsDir} on ${describeHost(host)} with ${build.tool}${calls}`;
  const effects = [...(isBuilt ? [made] : []), ...describeTiers(contract)];
  return isBuilt || due.length > 0 ? [...effects, `write what was shown into the ledger ${ledger}`] : effects;
}

function describeTiers(contract: ContractTerms): string[] {
  const tiers = new Set(contract.due.map(({ tier }) => tier));
  const cards = contract.due.flatMap(({ tier, card }) => (tier === 2 && card ? [card] : []));
  const { library, hasTests } = planTierTwo(contract.spec, cards[0] ?? null, contract.requirements);
  const computes = [
    ...(library ? [`let ${library} compute`] : []),
    ...(hasTests ? ["run its own GPU tests"] : []),
  ];
  const place = cards.length === 0 ? "on a CPU" : `on ${countOf(cards.length, "GPU")}`;
  const { commands } = contract.document;
  return [
    ...(tiers.has(1) ? ["check that it imports what it must (tier 1)"] : []),
    ...(tiers.has(2) ? [`${describeWitness(computes, place)} (tier 2, the witness)`] : []),
    ...(tiers.has(3)
      ? commands.map(
          ({ file, line }) =>
            `run the documented command of ${file} line ${line} in a copy of the code (tier 3)`,
        )
      : []),
  ];
}

function describeWitness(computes: readonly string[], place: string): string {
  if (computes.length > 0) return `${computes.join(" and ")} ${place}`;
  return "let its imports do, as nothing in it computes";
}

/** Tiers that are due for the same reason are told together. */
function describeDue(due: ContractTerms["due"]): string {
  const reasons = [...new Set(due.map(({ why }) => why))];
  return reasons
    .map((reason) => {
      const tiers = [...new Set(due.filter(({ why }) => why === reason).map(({ tier }) => tier))];
      const names =
        tiers.length === 1
          ? `tier ${tiers[0]} is`
          : `tiers ${tiers.join(", ").replace(/, (\d)$/, " and $1")} are`;
      return `${names} due: ${reason}`;
    })
    .join("; ");
}
