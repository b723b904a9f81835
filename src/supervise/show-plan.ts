import { describeProvenance } from "../sync/provenance.ts";
import type { Plan } from "./plan.ts";

export type { Plan };

/** The code of a plan in one line. What is not sent is not told a second time as not recorded. */
export function describeCode({ terms: { code, remote } }: Plan): string {
  const isTold = remote?.sync.kind === "rsync" && code.kind === "git";
  return describeProvenance(isTold ? { ...code, leftOut: [] } : code);
}
