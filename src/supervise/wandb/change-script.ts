import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import type { ScriptTerms } from "./wandb-terms.ts";

/**
 * Puts the new script in the place of the one that was shown: beside it and renamed over it, so that whatever kills this
 * leaves the old one or the new one, whole. Its mode stays. One that is new already is left alone.
 * @throws wandb_script_changed, wandb_script_unwritable: then the file is as it was
 */
export function changeScript(
  { file, name, from, to }: Pick<ScriptTerms, "file" | "name" | "from" | "to">,
  bytes: Uint8Array,
): void {
  const found = hashFile(file);
  if (found === to) return;
  if (found !== from || hashBytes(bytes) !== to)
    throw new SortieError("wandb_script_changed", { file: name });
  try {
    writeFileAtomic(file, bytes, { mode: statSync(file).mode & 0o7777 });
  } catch (fault) {
    const reason = fault instanceof SortieError ? fault.details["reason"] : describeFault(fault);
    throw new SortieError("wandb_script_unwritable", { file: name, reason }, fault);
  }
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** null: it is not there, or cannot be read. */
export function hashFile(path: string): string | null {
  try {
    return hashBytes(readFileSync(path));
  } catch {
    return null; // that is no script that was shown
  }
}
