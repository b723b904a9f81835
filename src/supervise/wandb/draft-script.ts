import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative } from "node:path";
import { formatBytes } from "../../base/bytes.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { decodeScript } from "../../metrics/wandb/decode-script.ts";
import { instrumentBytes, restoreBytes } from "../../metrics/wandb/instrument-bytes.ts";
import { makeDiff } from "../../metrics/wandb/make-diff.ts";
import { readScript } from "../../metrics/wandb/read-script.ts";
import { hashBytes } from "./change-script.ts";
import type { ScriptTerms } from "./wandb-terms.ts";

/** No script that a person writes is longer; a longer one was made by a program. */
const MOST_BYTES = 2_000_000;

/** What can be done for a script; `by` is what makes a change needless. */
export type ScriptDraft =
  | { readonly kind: "change"; readonly terms: ScriptTerms; readonly bytes: Buffer }
  /** It logs to W&B: by itself, or by lines that Sortie wrote earlier. */
  | { readonly kind: "done"; readonly name: string; readonly by: string; readonly line: number | null }
  | {
      readonly kind: "refused";
      readonly name: string;
      readonly reason: string;
      readonly line: number | null;
    };

/** Reads a script and drafts the change, which is not made. @param cwd what its name counts from @throws wandb_script_unreadable */
export async function draftScript(path: string, cwd: string): Promise<ScriptDraft> {
  const { file, bytes } = readScriptFile(path);
  const name = nameScript(file, cwd);
  const { reading, outcome } = await instrumentBytes(bytes, name);
  if (reading.wandb && reading.wandb.by !== "name")
    return { kind: "done", name, by: reading.wandb.text.trim(), line: reading.wandb.line };
  if ("refused" in outcome) return { kind: "refused", name, reason: outcome.refused, line: outcome.line };
  if (!outcome.isChanged) return { kind: "done", name, by: "by lines that Sortie wrote", line: null };
  const { missing, diff } = outcome;
  const metrics = outcome.metrics.map(({ key }) => key);
  return draftChange({ file, name, bytes }, outcome.bytes, { metrics, missing, diff });
}

/** Drafts the script without the lines that Sortie wrote into it; a string that looks like one stays. @throws wandb_script_unreadable */
export async function draftRemoval(path: string, cwd: string): Promise<ScriptDraft> {
  const { file, bytes } = readScriptFile(path);
  const name = nameScript(file, cwd);
  const restored = restoreBytes(bytes);
  const { problem } = await readScript(decodeScript(bytes).text);
  if (problem?.kind === "marks") return { kind: "refused", name, reason: problem.reason, line: problem.line };
  if (restored.equals(bytes)) return { kind: "done", name, by: "no line of Sortie is in it", line: null };
  const [before, after] = [bytes, restored].map((some) => decodeScript(some).text) as [string, string];
  const diff = makeDiff(before, after, name);
  return draftChange({ file, name, bytes }, restored, { metrics: [], missing: [], diff });
}

function draftChange(
  { file, name, bytes }: { readonly file: string; readonly name: string; readonly bytes: Buffer },
  changed: Buffer,
  found: Pick<ScriptTerms, "metrics" | "missing" | "diff">,
): ScriptDraft {
  const reason = findObstacle(file);
  if (reason !== null) return { kind: "refused", name, reason, line: null };
  const hashes = { from: hashBytes(bytes), to: hashBytes(changed) };
  return {
    kind: "change",
    terms: { file, name, ...hashes, ...countLines(found.diff), ...found },
    bytes: changed,
  };
}

/** The file without links in its path, and what it holds. @throws wandb_script_unreadable */
export function readScriptFile(path: string): { readonly file: string; readonly bytes: Buffer } {
  const refuse = (reason: string, cause?: unknown) =>
    new SortieError("wandb_script_unreadable", { file: path, reason }, cause);
  try {
    const file = realpathSync(path);
    const stats = statSync(file);
    if (!stats.isFile()) throw refuse("it is no file");
    if (stats.size > MOST_BYTES) throw refuse(`it has ${formatBytes(stats.size)}`);
    return { file, bytes: readFileSync(file) };
  } catch (fault) {
    throw fault instanceof SortieError ? fault : refuse(describeFault(fault), fault);
  }
}

/** From the folder where it lies below it, else whole. */
export function nameScript(file: string, cwd: string): string {
  const below = relative(realpathSync(cwd), file);
  return below.startsWith("..") ? file : below;
}

/** What keeps the file from being replaced; null: nothing. */
function findObstacle(file: string): string | null {
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return null;
  } catch (fault) {
    return `it cannot be written: ${describeFault(fault)}`;
  }
}

function countLines(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n").slice(2);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}
