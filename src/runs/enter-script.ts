import { quotePath } from "../base/quote.ts";
import enter from "./scripts/enter.sh";

/** A script that becomes a login shell in the first of the folders that is there: absolute, or from `~/` on. */
export function makeEnterScript(runDir: string | null, folders: readonly string[]): string {
  return `${enter}\nenter ${[runDir ?? "", ...folders].map(quotePath).join(" ")}\n`;
}
