import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Packable, pack } from "../../src/payload/pack.ts";

export type Rows = number[][];

/** An action of the challenge, to be changed before it is packed. */
export interface ActionDraft {
  result: Record<string, Packable> & {
    left_arm: { kind: string; values: Rows };
    right_arm: { kind: string; values: Rows };
    left_effector: Rows;
    right_effector: Rows;
  };
  [key: string]: Packable;
}

/** Where the robot stands from which `makeAction` moves. */
export const standing = {
  robotType: "G2_omnipicker",
  armJoints: Array.from({ length: 14 }, (_, joint) => 0.1 * joint - 0.6),
  waistJoints: [0, 0.1, 0, 0, 0],
  grippers: [-0.4, -0.4],
};

/** What real Python programs packed: `fixtures/payload/recorded`. */
export function readRecorded(name: string): Uint8Array {
  return readFileSync(join(import.meta.dirname, "../../fixtures/payload/recorded", `${name}.msgpack`));
}

/** An action that breaks no rule. */
export function makeAction(steps = 50): ActionDraft {
  const makeArm = (first: number) => ({
    kind: "JOINT_ABS",
    values: makeRows(steps, 7, (step, joint) => 0.1 * (first + joint) - 0.6 + 0.01 * (step + 1)),
  });
  const makeGripper = () => makeRows(steps, 1, (step) => -0.4 - 0.005 * step);
  return {
    result: {
      left_arm: makeArm(0),
      right_arm: makeArm(7),
      left_effector: makeGripper(),
      right_effector: makeGripper(),
    },
  };
}

/** The bytes of an action after these changes. */
export function packAction(edit: (action: ActionDraft) => unknown): Uint8Array {
  const action = makeAction();
  edit(action);
  return pack(action);
}

/** Turns both arms of an action into poses that break no rule. */
export function makePoses({ result }: ActionDraft) {
  const makePose = (step: number) => [
    ...[0.3, 0.2, 0.5, 0, 0].map((value) => value + 1e-4 * step),
    Math.sin(0.01 * step),
    Math.cos(0.01 * step),
  ];
  const makeArm = () => ({
    kind: "EEF_ABS",
    values: makeRows(50, 7, (step, column) => makePose(step)[column] as number),
  });
  Object.assign(result, { left_arm: makeArm(), right_arm: makeArm(), base_link: "base_link" });
}

export function makeRows(
  steps: number,
  width: number,
  value: (step: number, column: number) => number,
): Rows {
  return Array.from({ length: steps }, (_, step) =>
    Array.from({ length: width }, (_, column) => value(step, column)),
  );
}

/** Changes one number of each step, or of those from a step on. */
export function changeColumn(
  rows: Rows,
  column: number,
  change: (value: number, step: number) => number,
  from = 0,
) {
  for (const [step, row] of rows.entries()) {
    if (step >= from) row[column] = change(row[column] as number, step);
  }
}
