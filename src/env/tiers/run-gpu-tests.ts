import { countOf } from "../../base/count-of.ts";
import type { EnvHost } from "../env-host.ts";
import type { Card } from "../key-of-trust.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { describeEnd } from "../witness/describe-end.ts";
import { type Inside, runInside } from "../witness/run-inside.ts";
import { findShellFailures, joinChecks, makeShellChecks } from "./shell-checks.ts";
import { makeLine, makeResult, type TierResult } from "./tier-result.ts";

export interface GpuTestsRequest extends Inside {
  readonly spec: EnvSpec;
  /** The only card that they see. */
  readonly card: Card;
  /** For all of them; default 300. */
  readonly timeoutS?: number | undefined;
  /** As of a witness. */
  readonly lease?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_S = 300;

/**
 * Runs the spec's own `gpu_tests` in the environment, in the project, on this card: each must exit with 0 and print what
 * its pattern matches. @throws as `runInside`
 */
export async function runGpuTests(host: EnvHost, request: GpuTestsRequest): Promise<TierResult> {
  const tests = request.spec.smoke.gpuTests;
  const variables = { ...request.variables, CUDA_VISIBLE_DEVICES: request.card.uuid };
  const outcome = await runInside(
    host,
    { ...request, variables },
    {
      text: [makeShellChecks(tests), "exit 0"].join("\n"),
      programs: {},
      runsIn: "project",
      ...{ timeoutS: request.timeoutS ?? TIMEOUT_S, lease: request.lease, signal: request.signal },
    },
  );
  const output = joinChecks(outcome);
  if (outcome.state === "taken") {
    const message = makeLine(describeEnd(outcome) ?? "");
    return { ...makeResult([], "", output), state: "taken", message };
  }
  const early = outcome.stage === "run" ? null : describeEnd(outcome);
  const failures =
    early === null ? findShellFailures(tests, outcome) : [{ what: "environment", message: early }];
  return makeResult(failures, `${countOf(tests.length, "GPU test")} passed on ${request.card.model}`, output);
}
