import { resolve } from "node:path";
import { SortieError } from "../../base/error.ts";
import { changeScript } from "./change-script.ts";
import { OTHER_WAY } from "./describe-wandb.ts";
import { draftRemoval, draftScript } from "./draft-script.ts";
import type { ScriptTerms } from "./wandb-terms.ts";

const BY_HAND = "Change that line, or take the lines that end with `# sortie-wandb` out by hand.";

/** A change of one script that a person asks for by itself. */
export interface ScriptEdit {
  readonly file: string;
  /** Why nothing has to be done; null: something has. */
  readonly done: string | null;
  readonly terms: Omit<ScriptTerms, "file"> | null;
  /** Does it. @throws wandb_script_changed, wandb_script_unwritable */
  write(): void;
}

/** Drafts W&B logging in a script, or a script without it, and changes nothing. @throws wandb_script_unreadable, wandb_script_refused */
export async function draftEdit(
  cwd: string,
  path: string,
  { isRemoval }: { readonly isRemoval: boolean },
): Promise<ScriptEdit> {
  const place = resolve(cwd, path);
  const draft = isRemoval ? await draftRemoval(place, cwd) : await draftScript(place, cwd);
  if (draft.kind === "done") {
    const line = draft.line === null ? "" : ` (line ${draft.line})`;
    const done = isRemoval ? draft.by : `it logs to W&B already: ${draft.by}${line}`;
    return { file: draft.name, done, terms: null, write: () => undefined };
  }
  if (draft.kind === "refused") {
    const { name, reason, line } = draft;
    const otherWay = `${OTHER_WAY.charAt(0).toUpperCase()}${OTHER_WAY.slice(1)}.`;
    const advice = isRemoval ? BY_HAND : otherWay;
    throw new SortieError("wandb_script_refused", { file: name, reason, line: line ?? 1, advice });
  }
  const { terms, bytes } = draft;
  return { file: terms.name, done: null, terms, write: () => changeScript(terms, bytes) };
}
