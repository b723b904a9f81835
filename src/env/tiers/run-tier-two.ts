import type { EnvHost } from "../env-host.ts";
import type { Card } from "../key-of-trust.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { chooseLibrary, type Library } from "../witness/choose-library.ts";
import type { Inside } from "../witness/run-inside.ts";
import { runWitness, type WitnessResult } from "../witness/run-witness.ts";
import { runGpuTests } from "./run-gpu-tests.ts";
import { makeLine, makeResult, type TierResult } from "./tier-result.ts";

export interface TierTwoRequest extends Inside {
  readonly spec: EnvSpec;
  /** Lines of the requirement files that the spec names. */
  readonly requirements?: readonly string[] | undefined;
  /** null: for runs without GPUs. */
  readonly card: Card | null;
  /** Of the witness; the spec's own tests have 300 s. Default 120. */
  readonly timeoutS?: number | undefined;
  readonly lease?: string | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TierTwoPlan {
  /** What the witness computes with; null: no witness. */
  readonly library: Library | null;
  readonly hasTests: boolean;
  /** Why nothing of it could speak for a GPU, and what to add to the spec; null: something does. */
  readonly missing: { readonly reason: string; readonly advice: string } | null;
}

const ADVICE =
  "Add a command that uses the GPU, with what it must print, to `smoke.gpu_tests` of the specification, or a library that computes on one (torch, jax, cupy) to its `pip_phases`.";

/** What tier 2 consists of: on a card a library that computes there, the spec's own tests, or both; else a CPU witness. */
export function planTierTwo(
  spec: EnvSpec,
  card: Card | "any" | null,
  requirements: readonly string[] = [],
): TierTwoPlan {
  const library = chooseLibrary(spec, requirements);
  // cupy computes on GPUs alone, and comes with numpy.
  if (card === null) {
    return { library: library === "cupy" ? "numpy" : library, hasTests: false, missing: null };
  }
  const hasTests = spec.smoke.gpuTests.length > 0;
  if (library !== null && library !== "numpy") return { library, hasTests, missing: null };
  const reason =
    library === null
      ? "its specification names nothing that could show that it computes on a GPU"
      : "numpy, the only library in it that Sortie can let compute, does so on CPUs alone";
  return { library: null, hasTests, missing: hasTests ? null : { reason, advice: ADVICE } };
}

/** Tier 2: what `planTierTwo` says, on one card or a CPU. @throws as `runInside` */
export async function runTierTwo(host: EnvHost, request: TierTwoRequest): Promise<TierResult> {
  const { spec, card } = request;
  const { library, hasTests, missing } = planTierTwo(spec, card, request.requirements);
  if (missing !== null)
    return makeResult([{ what: "nothing to witness with", message: missing.reason }], "", "");
  const witness =
    library === null
      ? null
      : await runWitness(host, { ...request, library, gpu: card }).then(makeWitnessResult);
  if (card === null || !hasTests || (witness !== null && witness.state !== "passed")) {
    return witness ?? makeResult([], "nothing to witness with: its imports count", "");
  }
  const tests = await runGpuTests(host, { ...request, card, timeoutS: undefined });
  if (witness === null) return tests;
  const message = tests.state === "passed" ? `${witness.message}; ${tests.message}` : tests.message;
  return { ...tests, message, library: witness.library, cuda: witness.cuda };
}

function makeWitnessResult({ state, message, facts, output, exitCode }: WitnessResult): TierResult {
  const library = facts?.version == null ? null : `${facts.library} ${facts.version}`;
  const failures = state === "failed" ? [{ what: "witness", message }] : [];
  const line = makeLine(message);
  return {
    ...makeResult(failures, line, output),
    state,
    message: line,
    library,
    cuda: facts?.cuda ?? null,
    exitCode,
  };
}
