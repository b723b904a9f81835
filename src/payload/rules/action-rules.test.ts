import { expect, it } from "vitest";
import {
  type ActionDraft,
  changeColumn,
  makePoses,
  makeRows,
  packAction,
  readRecorded,
  standing,
} from "../../../test/support/actions.ts";
import type { ActionContext } from "../action.ts";
import { actionRules, checkAction } from "../check-action.ts";
import { makeErrorEnvelope } from "../error-envelope.ts";
import { makeExt, pack } from "../pack.ts";

interface RuleCase {
  /** Where the rule is broken, and what is said of that place. */
  path: string;
  says: string;
  edit?: (action: ActionDraft) => unknown;
  bytes?: () => Uint8Array;
  context?: ActionContext;
}

const moving = (step: number, joint: number) => 0.01 * step * (joint + 1);

/** An action for each rule that breaks this rule and no other. */
const cases: Record<string, RuleCase> = {
  "binary-frame": { path: "", says: "text frame: return bytes", context: { binary: false } },
  "plain-msgpack": { path: "", says: "it is empty", bytes: () => new Uint8Array() },
  "no-ext": {
    path: "result.left_effector",
    says: "is a msgpack ext value of type 1, which only your own decoder reads",
    edit: ({ result }) => Object.assign(result, { left_effector: makeExt(1, new Uint8Array(4)) }),
  },
  "no-ndarray": {
    path: "result.left_arm.values",
    says: "is a numpy array in openpi's form: call .tolist() on it",
    bytes: () => readRecorded("openpi-action"),
  },
  "no-bin-keys": {
    path: "the reply",
    says: "has the key 7, which is a number: keys are text",
    bytes: () => Uint8Array.of(0x81, 7, 0x80),
  },
  "error-envelope": {
    path: "error",
    says: "ends the episode; it says: no camera",
    bytes: () => makeErrorEnvelope("no camera"),
  },
  envelope: {
    path: "result",
    says: 'is missing: put what you have under the key "result"',
    bytes: () => pack({ left_arm: {} }),
  },
  "error-key": {
    path: "error",
    says: "leave the key out of a good reply",
    edit: (action) => Object.assign(action, { error: "" }),
  },
  "reply-size": {
    path: "",
    says: "the reply has 1.1 MB: many receivers refuse more than 1 MiB",
    edit: ({ result }) => Object.assign(result, { note: new Uint8Array(1_100_000) }),
  },
  "arms-present": {
    path: "result.right_arm",
    says: "is missing",
    edit: ({ result }) => Reflect.deleteProperty(result, "right_arm"),
  },
  "effectors-present": {
    path: "result.left_effector",
    says: "is missing",
    edit: ({ result }) => Reflect.deleteProperty(result, "left_effector"),
  },
  "arm-kind": {
    path: "result.left_arm.kind",
    says: 'is the text "JOINT_REL": it can be JOINT_ABS or EEF_ABS',
    edit: ({ result }) => Object.assign(result.left_arm, { kind: "JOINT_REL" }),
  },
  "numeric-lists": {
    path: "result.left_effector[0]",
    says: "is -0.4: each step is a list of numbers",
    edit: ({ result }) => Object.assign(result, { left_effector: result.left_effector.flat() }),
  },
  "arm-width": {
    path: "result.right_arm.values[3]",
    says: "has 6 numbers: an arm takes 7",
    edit: ({ result }) => result.right_arm.values[3]?.pop(),
  },
  "effector-width": {
    path: "result.left_effector[0]",
    says: "has 2 numbers: a gripper takes 1",
    edit: ({ result }) => result.left_effector[0]?.push(0),
  },
  "horizon-range": {
    path: "result.right_arm.values",
    says: "is empty: the simulator takes at least 1 step",
    edit: ({ result }) => Object.assign(result.right_arm, { values: [] }),
  },
  "equal-horizon": {
    path: "result.right_effector",
    says: "has 49 steps and result.left_arm.values has 50",
    edit: ({ result }) => result.right_effector.pop(),
  },
  finite: {
    path: "result.right_arm.values[1][2]",
    says: "is NaN: every number must be finite",
    bytes: () => readRecorded("nan-action"),
    context: {},
  },
  magnitude: {
    path: "result.left_effector[0][0]",
    says: "is -10000 (and 49 more like it)",
    edit: ({ result }) => changeColumn(result.left_effector, 0, () => -1e4),
  },
  "joint-range": {
    path: "result.left_arm.values[0][6]",
    says: "is 45 (and 49 more like it): joints take radians",
    edit: ({ result }) => changeColumn(result.left_arm.values, 6, (_, step) => 45 + step / 100),
    context: {},
  },
  "eef-range": {
    path: "result.left_arm.values[0][2]",
    says: "is 2.5 (and 49 more like it): poses take metres",
    edit: (action) => {
      makePoses(action);
      changeColumn(action.result.left_arm.values, 2, (value) => value + 2);
    },
  },
  "quaternion-norm": {
    path: "result.left_arm.values[0][3:7]",
    says: "is a quaternion (x, y, z, w) of length 2.000",
    edit: (action) => {
      makePoses(action);
      changeColumn(action.result.left_arm.values, 6, (value) => value * 2);
    },
  },
  "gripper-range": {
    path: "result.left_effector[0][0]",
    says: "is 33.6 (and 49 more like it): a G2_omnipicker takes -0.785 to 0",
    edit: ({ result }) => changeColumn(result.left_effector, 0, () => 33.6),
  },
  "all-zero": {
    path: "result.left_arm.values",
    says: "holds zeros alone",
    edit: ({ result }) => Object.assign(result.left_arm, { values: makeRows(50, 7, () => 0) }),
    context: {},
  },
  "constant-dimension": {
    path: "result.left_arm.values",
    says: "does not change in column 2 over 50 steps",
    edit: ({ result }) => changeColumn(result.left_arm.values, 2, () => -0.4),
  },
  "first-step-jump": {
    path: "result.right_arm.values[0][6]",
    says: "is 1.310 while that joint is at 0.700",
    edit: ({ result }) => changeColumn(result.right_arm.values, 6, (value) => value + 0.6),
  },
  "step-jump": {
    path: "result.left_arm.values[25][0]",
    says: "jumps from -0.350 to 1.760 in one step",
    edit: ({ result }) => changeColumn(result.left_arm.values, 0, (value) => value + 2.1, 25),
  },
  "waist-kind": {
    path: "result.waist.kind",
    says: "is missing: the waist then stays where it is",
    edit: ({ result }) => Object.assign(result, { waist: { values: [] } }),
  },
  "waist-shape": {
    path: "result.waist.values",
    says: "has 30 steps and the arms have 50",
    edit: ({ result }) =>
      Object.assign(result, { waist: { kind: "ABS_JOINT", values: makeRows(30, 5, moving) } }),
  },
  "waist-from-observation": {
    path: "result.waist.values",
    says: "repeats the observation's waist",
    edit: ({ result }) => {
      const values = makeRows(50, 5, (_, joint) => standing.waistJoints[joint] as number);
      Object.assign(result, { waist: { kind: "JOINT_ABS", values } });
    },
  },
  "head-shape": {
    path: "result.head[0]",
    says: "is 0.1: each step is a list of numbers",
    edit: ({ result }) => Object.assign(result, { head: [0.1, 0.2] }),
  },
  "base-link": {
    path: "result.base_link",
    says: "is missing: simulators differ in what they then assume",
    edit: (action) => {
      makePoses(action);
      Reflect.deleteProperty(action.result, "base_link");
    },
  },
  "history-options": {
    path: "result.history.interval",
    says: "is -1: a whole number from 0 belongs there",
    edit: ({ result }) => Object.assign(result, { history: { interval: -1 } }),
  },
  "need-depth": {
    path: "result.need_depth",
    says: 'is the text "no": send true or false',
    edit: ({ result }) => Object.assign(result, { need_depth: "no" }),
  },
  "policy-rng": {
    path: "result.policy_rng",
    says: "is 8: send back the 7 of the observation",
    edit: ({ result }) => Object.assign(result, { policy_rng: 8 }),
    context: { state: { ...standing, policyRng: 7 } },
  },
  "board-horizon": {
    path: "result.left_arm.values",
    says: "has 50 steps: the board manip plays 30",
    context: { state: standing, board: "manip" },
  },
};

it.each(Object.keys(cases))("an action breaks %s and no other rule", (rule) => {
  const {
    edit = () => undefined,
    bytes,
    context = { state: standing },
    path,
    says,
  } = cases[rule] as RuleCase;
  const issues = checkAction(bytes?.() ?? packAction(edit), context);
  const level = actionRules.find(({ name }) => name === rule)?.level;
  expect(issues).toEqual([{ name: rule, level, path, sentence: expect.stringContaining(says) }]);
  expect(issues[0]?.sentence.startsWith(path)).toBe(true);
});

it("every rule has an example here", () => {
  expect(Object.keys(cases)).toEqual(actionRules.map(({ name }) => name));
});
