import { SortieError } from "../../base/error.ts";
import { quoteShell } from "../../base/quote.ts";
import { diagnoseOutput } from "../../diagnosis/diagnose-output.ts";
import { makeGotcha } from "../../diagnosis/make-gotcha.ts";
import type { Diagnosis } from "../../diagnosis/match-row.ts";
import { type ContractTerms, nameContract } from "./contract-terms.ts";
import type { TierShown } from "./try-tiers.ts";

const WHAT = { 1: "import", 2: "witness", 3: "document" } as const;
const STAGES = { 1: "tier 1", 2: "witness", 3: "document" } as const;

/** A build's error, with what the table of symptoms knows of it. */
export function explainBuild(fault: unknown, contract: ContractTerms): unknown {
  if (!(fault instanceof SortieError) || fault.code !== "environment_build_failed") return fault;
  const { tail, code, cause } = fault.details;
  if (cause !== "failed") return fault;
  const text = (tail as string[]).join("\n");
  const diagnosis = diagnoseOutput({ stage: "build", text, exitCode: code === null ? null : Number(code) });
  if (diagnosis === null) return fault;
  const advice = describe(diagnosis, contract);
  return new SortieError("environment_build_failed", { ...fault.details, advice, diagnosis }, fault);
}

/** Why a tier that did not pass keeps a run from starting. */
export function explainTier(shown: TierShown, contract: ContractTerms): SortieError {
  const { tier, card, message: reason, output, divergences } = shown;
  const text = `${reason}\n${output}`;
  const diagnosis = diagnoseOutput({ stage: STAGES[tier], text, exitCode: shown.exitCode ?? 1 });
  const usual =
    tier === 3
      ? "Correct the document or what it describes, then `sortie env verify`."
      : "Correct the specification or the environment, then `sortie env verify`.";
  return new SortieError("environment_unverified", {
    ...{ environment: nameContract(contract), tier, what: WHAT[tier], reason, card, divergences, diagnosis },
    output: output.slice(-4000),
    next: diagnosis === null ? usual : describe(diagnosis, contract),
  });
}

/** What it means and what to do; and the line that keeps others from it. */
function describe(diagnosis: Diagnosis, { name }: ContractTerms): string {
  const gotcha = `sortie env ledger ${quoteShell(name)} --gotcha ${quoteShell(makeGotcha(diagnosis))}`;
  return `${diagnosis.cause} ${diagnosis.next} To keep it in the ledger: ${gotcha}`;
}
