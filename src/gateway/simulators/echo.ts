import { SortieError } from "../../base/error.ts";
import { checkReply } from "../../payload/check-action.ts";
import { readObservation } from "../../payload/observation.ts";
import type { Issue } from "../../payload/rule.ts";
import type { CaseResult, CaseSpec, Simulator } from "../simulator.ts";
import { makeEchoObservation, makeEchoPictures } from "./echo-observation.ts";

export interface EchoOptions {
  /** Observations in a case. Default: 10. */
  readonly steps?: number;
  /** About how many bytes an observation has, 30 kB at least. Default: what pictures of middling detail give, 0.7 MB. */
  readonly frameBytes?: number;
  /** Sent in turn, byte for byte, instead of observations that are made. */
  readonly recorded?: readonly Uint8Array[];
  /** A board of the challenge, which says how many steps an action has. Default: any number is right. */
  readonly board?: string;
  readonly onStep?: (step: EchoStep) => void;
}

/** One observation and what became of it. */
export interface EchoStep {
  readonly spec: CaseSpec;
  /** From 0. */
  readonly step: number;
  readonly observation: Uint8Array;
  readonly action: Uint8Array;
  readonly issues: readonly Issue[];
}

/**
 * A simulator without a robot: it shows observations of real size and looks at the actions without playing them. The
 * score is the share of actions that a simulator could play. An error instead of an action ends the case.
 */
export function makeEchoSimulator(options: EchoOptions = {}): Simulator {
  const { steps = 10, board, onStep } = options;
  const observe = makeObserver(options);
  return async (policy, spec): Promise<CaseResult> => {
    let valid = 0;
    let fault: string | undefined;
    for (let step = 0; step < steps; step += 1) {
      const observation = await observe(spec, step);
      // Read before it is sent: in a worker thread its bytes are gone then.
      const { kind, state } = readObservation(observation);
      const action = await policy.infer(observation);
      const issues = checkReply(kind, action, { state, board }, { deep: false });
      onStep?.({ spec, step, observation, action, issues });
      const hard = issues.find(({ level }) => level === "hard");
      if (hard?.name === "error-envelope") throw new SortieError("policy_failed", { reason: hard.sentence });
      if (hard === undefined) valid += 1;
      else fault ??= hard.sentence;
    }
    return { score: valid / steps, steps, detail: fault };
  };
}

/** Gives the observation of a step; pictures are made once, when they are first needed. */
function makeObserver({ frameBytes, recorded = [] }: EchoOptions) {
  let pictures: ReturnType<typeof makeEchoPictures> | undefined;
  return async (spec: CaseSpec, step: number): Promise<Uint8Array> => {
    const kept = recorded[step % recorded.length];
    if (kept !== undefined) return kept;
    pictures ??= makeEchoPictures(frameBytes);
    return makeEchoObservation(await pictures, spec, step);
  };
}
