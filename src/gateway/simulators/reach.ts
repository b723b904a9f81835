import { SortieError } from "../../base/error.ts";
import { type Action, readAction } from "../../payload/action.ts";
import { actionRules } from "../../payload/check-action.ts";
import { applyRules } from "../../payload/rule.ts";
import type { CaseResult, Simulator } from "../simulator.ts";
import { isDone, makeReachCase, playRows, type ReachCase, scoreCase } from "./reach/reach-case.ts";
import {
  type Earlier,
  makeReachObservation,
  makeRobotCanvases,
  ROBOT,
  readRobotState,
  takePictures,
} from "./reach/reach-observation.ts";

export interface ReachOptions {
  /** Observations in a case, at most: a case whose targets are all reached is over. Default: 10. */
  readonly steps?: number;
}

/**
 * A simulator of two arms with 7 joints each (`reach/arm.ts`), which have to bring the tips of their hands to targets, one
 * after another. The rows of an action are played in turn, a joint turning by 1.8 rad a second at most. The score is the
 * share of targets that were reached; having come near the next one counts a little. The same seed and the same actions
 * give the same observations, byte for byte. Arms are led by joints: poses (`EEF_ABS`) end the case with SortieError
 * `policy_failed`, as does every action that no simulator could play.
 */
export function makeReachSimulator({ steps = 10 }: ReachOptions = {}): Simulator {
  return async (policy, spec, signal): Promise<CaseResult> => {
    const reachCase = makeReachCase(spec.seed, steps);
    const canvases = makeRobotCanvases();
    let earlier: Earlier | undefined;
    let step = 0;
    while (step < steps && !isDone(reachCase)) {
      const pictures = await takePictures(reachCase, canvases);
      signal.throwIfAborted();
      const observation = makeReachObservation(spec, reachCase, pictures, earlier);
      earlier = { pictures, ticks: reachCase.ticks };
      const action = await policy.infer(observation);
      playRows(reachCase, readRows(action, reachCase));
      step += 1;
    }
    return { score: scoreCase(reachCase), steps: step, detail: describeEnd(reachCase) };
  };
}

/** The rows of an action that can be played; SortieError `policy_failed` for any other. */
function readRows(bytes: Uint8Array, reachCase: ReachCase): Action["parts"] {
  const state = { ...readRobotState(reachCase), robotType: ROBOT };
  const action = readAction(bytes, { state });
  const hard = applyRules(actionRules, action, { deep: false }).find(({ level }) => level === "hard");
  if (hard !== undefined) throw new SortieError("policy_failed", { reason: hard.sentence });
  if (action.parts.left_arm.kind === "EEF_ABS") {
    const reason = "result.left_arm.kind is EEF_ABS: the simulator reach is led by joints, JOINT_ABS";
    throw new SortieError("policy_failed", { reason });
  }
  return action.parts;
}

function describeEnd({ arms }: ReachCase): string {
  return arms
    .map(({ side, reached, targets }) => `${side} hand: ${reached} of ${targets.length} targets`)
    .join(", ");
}
