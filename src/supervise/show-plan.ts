import { describeProvenance } from "../sync/provenance.ts";
import type { Plan } from "./plan.ts";

export type { Plan };

/** The code of a plan in one line. */
export function describeCode(plan: Plan): string {
  return describeProvenance(plan.terms.code);
}
