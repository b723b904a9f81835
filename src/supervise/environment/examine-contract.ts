import { SortieError, toSortieError } from "../../base/error.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { type Finding, makeFinding } from "../finding.ts";
import { nameContract } from "./contract-terms.ts";
import { type Contract, findContract } from "./find-contract.ts";
import { type EnvironmentSight, judgeSight } from "./judge-sight.ts";

/** The contract of a target as the doctor meets it: what is wrong with its files is a finding, no fault. */
export async function examineSpec(
  desk: Pick<Desk, "env" | "home">,
  chosen: ChosenTarget,
): Promise<{ readonly contract: Contract | null; readonly findings: readonly Finding[] }> {
  try {
    return { contract: await findContract(desk, chosen, null), findings: [] };
  } catch (fault) {
    const { message, hint } = toSortieError(fault);
    // Each run names the one that it means.
    const isOpen = fault instanceof SortieError && fault.code === "spec_ambiguous";
    const level = isOpen ? "warning" : "bad";
    return {
      contract: null,
      findings: [makeFinding(`${chosen.section.name} contract`, level, message, hint)],
    };
  }
}

/** What a host has of the environment under contract. Pure. */
export function describeContractThere(
  name: string,
  { contract, status }: Pick<EnvironmentSight, "contract" | "status">,
): Finding {
  const { place, trust } = judgeSight({ contract, status });
  const what = `${name} contract`;
  const called = nameContract({ name: contract.name, hash: contract.loaded.hash });
  const verify = `sortie env verify ${contract.name} --target ${name}`;
  if (place === null && contract.owner === "person") {
    return makeFinding(what, "bad", `${called}: its Python was not found`, "Look with `sortie env check`.");
  }
  if (place === null) {
    const state = status.isBuilding ? "it is being built right now" : "not built yet: the next run does that";
    return makeFinding(what, "ok", `${called}: ${state}`);
  }
  if (trust.missing !== null) {
    return makeFinding(what, "warning", `${called}: ${trust.missing.reason}`, trust.missing.advice);
  }
  const due = trust.due.map(({ tier, why }) => `tier ${tier} is due: ${why}`);
  if (due.length === 0) return makeFinding(what, "ok", `${called}: trusted, in ${place.environment}`);
  const hasFailed = trust.due.some(({ failed }) => failed !== null);
  const detail = `${called}: in ${place.environment}; ${due.join("; ")}`;
  return makeFinding(what, hasFailed ? "warning" : "ok", detail, hasFailed ? `Try it: ${verify}` : null);
}
