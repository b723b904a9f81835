import { normalizeGlob } from "../../base/globs.ts";
import { makeSettings } from "../../base/script.ts";
import { dataFolders } from "./data-names.ts";
import freezeText from "./freeze-code.sh";

/** The functions of freeze-code.sh, for the head of a script. */
export const freezeFunctions = `${makeSettings({ sortie_data_folders: dataFolders.join(" ") })}${freezeText}`;

/**
 * What `sortie_freeze_code` must not link, for globs of results that count from the code folder: names at its top, or
 * patterns for them. A glob that may match in any folder names none.
 */
export function listResultTops(globs: readonly string[]): string[] {
  const tops = globs.map(normalizeGlob).flatMap((glob) => {
    const [top = "", ...below] = glob.split("/");
    const isPattern = /[*?[\]{}()!+@\\]/.test(top);
    const isShellPattern = /^[^{}()!+@\\]+$/.test(top) && !top.includes("**");
    return top !== "" && (!isPattern || (isShellPattern && below.length === 0)) ? [top] : [];
  });
  return [...new Set(tops)];
}
