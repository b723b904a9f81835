import type { Action } from "../action.ts";
import { countNumbers, describeValue } from "../describe-value.ts";
import { readNumber } from "../observation.ts";
import { findRobot } from "../robots.ts";
import type { Finding, Rule } from "../rule.ts";
import { isMap } from "../unpack.ts";
import { listArms } from "./shape-rules.ts";

const WAIST_KINDS = ["JOINT_ABS", "ABS_JOINT"];
const FRAMES = ["base_link", "arm_base_link"];
const SENT_BACK_SLACK = 1e-6;

/** How many steps the boards of the challenge play before they ask again. */
const boardSteps: Readonly<Record<string, number>> = { instruction: 50, spatial: 50, robust: 50, manip: 30 };

/** What may be sent beside the arms and grippers, and what is silently ignored when it is wrong. */
export const optionRules: readonly Rule<Action>[] = [
  {
    name: "waist-kind",
    level: "soft",
    wants: "A waist is of kind JOINT_ABS or ABS_JOINT.",
    needs: ["envelope"],
    find: ({ parts: { waist } }) => {
      if (!isSent(waist.sent) || WAIST_KINDS.includes(waist.kind as string)) return undefined;
      return {
        path: "result.waist.kind",
        says: `is ${describeValue(waist.kind)}: the waist then stays where it is`,
      };
    },
  },
  {
    name: "waist-shape",
    level: "soft",
    wants: "A waist has a row of its joints for each step.",
    needs: ["waist-kind", "equal-horizon"],
    find: (action) =>
      findBadRows(action, "waist", findRobot(action.context.state?.robotType)?.waistJoints ?? 5),
  },
  {
    name: "waist-from-observation",
    level: "soft",
    deep: true,
    wants: "A waist that is sent moves.",
    needs: ["waist-shape", "finite"],
    find: findWaistSentBack,
  },
  {
    name: "head-shape",
    level: "soft",
    wants: "A head has a row of numbers for each step.",
    needs: ["envelope", "equal-horizon"],
    find: (action) => findBadRows(action, "head", undefined),
  },
  {
    name: "base-link",
    level: "soft",
    wants: "Poses name the frame that they are given in.",
    needs: ["arm-kind"],
    find: findNoFrame,
  },
  {
    name: "history-options",
    level: "soft",
    wants: "What is asked for of the history is whole numbers.",
    needs: ["envelope"],
    find: findBadHistory,
  },
  {
    name: "need-depth",
    level: "soft",
    wants: "need_depth is true or false.",
    needs: ["envelope"],
    find: ({ result: { need_depth: asked } }) =>
      asked === undefined || typeof asked === "boolean"
        ? undefined
        : { path: "result.need_depth", says: `is ${describeValue(asked)}: send true or false` },
  },
  {
    name: "policy-rng",
    level: "soft",
    wants: "policy_rng of the observation comes back in the reply.",
    needs: ["envelope"],
    find: ({ context, value, result }) => {
      const wanted = context.state?.policyRng;
      const sent = result["policy_rng"] ?? (isMap(value) ? value["policy_rng"] : undefined);
      if (wanted === undefined || readNumber(sent) === wanted) return undefined;
      return {
        path: "result.policy_rng",
        says: `is ${describeValue(sent)}: send back the ${wanted} of the observation`,
      };
    },
  },
  {
    name: "board-horizon",
    level: "soft",
    wants: "A chunk has as many steps as its board plays.",
    needs: ["equal-horizon"],
    find: ({ parts: { left_arm: arm }, context: { board = "" } }) => {
      const steps = boardSteps[board];
      if (steps === undefined || arm.rows.length === steps) return undefined;
      return { path: arm.path, says: `has ${arm.rows.length} steps: the board ${board} plays ${steps}` };
    },
  },
];

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function findBadRows(
  { parts }: Action,
  name: "waist" | "head",
  width: number | undefined,
): Finding | undefined {
  const part = parts[name];
  if (!isSent(part.sent)) return undefined;
  if (part.problem !== undefined) return part.problem;
  const steps = parts.left_arm.rows.length;
  if (part.rows.length !== steps) {
    return { path: part.path, says: `has ${part.rows.length} steps and the arms have ${steps}` };
  }
  const wanted = width ?? part.rows[0]?.length;
  const step = part.rows.findIndex((row) => row.length !== wanted);
  if (step === -1) return undefined;
  return {
    path: `${part.path}[${step}]`,
    says: `has ${countNumbers(part.rows[step] as number[])}: ${wanted} belong there`,
  };
}

/** Filled in from the observation it looks like control and does nothing. */
function findWaistSentBack({ parts: { waist }, context }: Action): Finding | undefined {
  const observed = context.state?.waistJoints;
  if (observed === undefined || observed.length === 0 || waist.rows.length === 0) return undefined;
  const isSentBack = waist.rows.every(
    (row) =>
      row.length === observed.length &&
      row.every((value, joint) => Math.abs(value - (observed[joint] as number)) <= SENT_BACK_SLACK),
  );
  if (!isSentBack) return undefined;
  return {
    path: waist.path,
    says: "repeats the observation's waist, which moves nothing: leave it out or steer it",
  };
}

function findNoFrame(action: Action): Finding | undefined {
  if (!listArms(action).some(({ kind }) => kind === "EEF_ABS")) return undefined;
  const left = action.parts.left_arm.sent;
  const inArm = isMap(left) ? left["base_link"] : undefined;
  const [path, frame] = isSent(inArm)
    ? ["result.left_arm.base_link", inArm]
    : ["result.base_link", action.result["base_link"]];
  if (FRAMES.includes(frame as string)) return undefined;
  const advice = isSent(frame)
    ? "it can be base_link or arm_base_link"
    : "simulators differ in what they then assume";
  return { path: path as string, says: `is ${describeValue(frame)}: ${advice}` };
}

function findBadHistory({ result }: Action): Finding | undefined {
  const { history, hist_frame_interval: interval } = result;
  if (isSent(interval) && !isCount(interval)) return makeNoCount("result.hist_frame_interval", interval);
  if (!isSent(history)) return undefined;
  if (!isMap(history))
    return { path: "result.history", says: `is ${describeValue(history)}: a map belongs there` };
  for (const name of ["interval", "last_n"]) {
    const value = history[name];
    if (isSent(value) && !isCount(value)) return makeNoCount(`result.history.${name}`, value);
  }
  return undefined;
}

function isCount(value: unknown): boolean {
  const number = readNumber(value);
  return Number.isInteger(number) && (number as number) >= 0;
}

function makeNoCount(path: string, value: unknown): Finding {
  return { path, says: `is ${describeValue(value)}: a whole number from 0 belongs there` };
}
