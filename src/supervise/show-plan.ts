import { redactText } from "../base/redact.ts";
import { describeProvenance } from "../sync/provenance.ts";
import { describeContract } from "./environment/describe-contract.ts";
import { hideValues } from "./environment/hide-values.ts";
import { loadPlan, loadUsablePlan, type Plan } from "./plan.ts";
import type { WandbTerms } from "./wandb/wandb-terms.ts";

export { loadPlan, loadUsablePlan, type Plan };

/** A plan as it may be printed: what its environment's specification sets may be secret. */
export function makePrintablePlan(plan: Plan): Plan {
  const { environment } = plan.terms;
  const { contract = null } = environment;
  if (contract === null) return plan;
  const lines = environment.lines.map((line) => redactText(line));
  const shown = { ...environment, lines, contract: hideValues(contract) };
  return { ...plan, terms: { ...plan.terms, environment: shown } };
}

/** The contract of a plan's environment in one line. */
export function describePlannedEnvironment({ terms: { environment } }: Pick<Plan, "terms">): string {
  return describeContract(environment.contract ?? null);
}

/** Where a plan's run logs to in one line. */
export function describePlannedWandb({ project, entity, name, mode, why, way }: WandbTerms): string {
  if (way === "none") return "nothing is forwarded: no program `wandb` is on this machine";
  return `${entity === null ? "" : `${entity}/`}${project} as ${name}, ${mode}: ${why}`;
}

/** The code of a plan in one line. What is not sent is not told a second time as not recorded. */
export function describeCode({ terms: { code, remote } }: Plan): string {
  const isTold = remote?.sync.kind === "rsync" && code.kind === "git";
  return describeProvenance(isTold ? { ...code, leftOut: [] } : code);
}
