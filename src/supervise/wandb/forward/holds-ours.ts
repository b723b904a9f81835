import type { ScriptDraft } from "../draft-script.ts";

/** Lines that Sortie wrote earlier log by themselves. */
export function holdsOurs(script: ScriptDraft | null): boolean {
  if (script?.kind === "change") return script.terms.removed > 0;
  return script?.kind === "done" && script.line === null;
}
