import { quotePath } from "../base/quote.ts";
import enter from "./scripts/enter.sh";

/**
 * A script that becomes a login shell in the first of the folders that is there: absolute, or from `~/` on. `runDir`
 * becomes SORTIE_RUN_DIR. A run's id is not passed on: what a person starts there is none of its processes. It travels
 * as one argument, so it is short.
 */
export function makeEnterScript(runDir: string | null, folders: readonly string[]): string {
  return `${enter}enter ${[runDir ?? "", ...folders].map(quotePath).join(" ")}\n`;
}
