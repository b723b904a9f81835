import type { Action, Part } from "../action.ts";
import type { Finding, Rule } from "../rule.ts";
import { ARM_WIDTH, listArms } from "./shape-rules.ts";

const LARGEST_FIRST_STEP_RAD = 0.5;
const LARGEST_STEP = 2;

/** How the numbers follow each other, and the state of the robot that they start from. */
export const motionRules: readonly Rule<Action>[] = [
  {
    name: "all-zero",
    level: "soft",
    deep: true,
    wants: "An arm is not all zeros.",
    needs: ["magnitude"],
    find: (action) => {
      const still = listArms(action).find(({ rows }) =>
        rows.every((row) => row.every((value) => value === 0)),
      );
      return (
        still && { path: still.path, says: "holds zeros alone: was the model's output lost on its way?" }
      );
    },
  },
  {
    name: "constant-dimension",
    level: "soft",
    deep: true,
    wants: "Every joint moves within a chunk.",
    needs: ["all-zero"],
    find: (action) => findConstant(listArms(action)),
  },
  {
    name: "first-step-jump",
    level: "soft",
    deep: true,
    wants: "The first step is within 0.5 rad of where the robot is.",
    needs: ["magnitude"],
    find: findFirstJump,
  },
  {
    name: "step-jump",
    level: "soft",
    deep: true,
    wants: "No joint jumps by more than 2 from step to step.",
    needs: ["magnitude"],
    find: (action) => findJump(listArms(action)),
  },
];

function findConstant(arms: Part[]): Finding | undefined {
  for (const { path, rows } of arms) {
    const [first] = rows;
    if (first === undefined || rows.length === 1) continue;
    const still = [...first.keys()].filter((column) => rows.every((row) => row[column] === first[column]));
    if (still.length === 0) continue;
    const all = `repeats one pose ${rows.length} times`;
    const some = `does not change in column ${still.join(", ")} over ${rows.length} steps`;
    return { path, says: still.length === first.length ? all : some };
  }
  return undefined;
}

/** Joints only: a pose would have to be held against the state's pose in the same frame. */
function findFirstJump(action: Action): Finding | undefined {
  const joints = action.context.state?.armJoints;
  if (joints === undefined || joints.length !== 2 * ARM_WIDTH) return undefined;
  for (const [side, { path, rows, kind }] of listArms(action).entries()) {
    if (kind === "EEF_ABS") continue;
    for (const [column, value] of (rows[0] ?? []).entries()) {
      const now = joints[side * ARM_WIDTH + column] as number;
      if (Math.abs(value - now) <= LARGEST_FIRST_STEP_RAD) continue;
      return {
        path: `${path}[0][${column}]`,
        says: `is ${value.toFixed(3)} while that joint is at ${now.toFixed(3)}: a first step moves at most ${LARGEST_FIRST_STEP_RAD} rad`,
      };
    }
  }
  return undefined;
}

function findJump(arms: Part[]): Finding | undefined {
  for (const { path, rows } of arms) {
    for (let step = 1; step < rows.length; step += 1) {
      const before = rows[step - 1] as readonly number[];
      const column = (rows[step] as readonly number[]).findIndex(
        (value, index) => Math.abs(value - (before[index] as number)) > LARGEST_STEP,
      );
      if (column === -1) continue;
      const from = before[column] as number;
      const to = rows[step]?.[column] as number;
      return {
        path: `${path}[${step}][${column}]`,
        says: `jumps from ${from.toFixed(3)} to ${to.toFixed(3)} in one step: at most ${LARGEST_STEP} is likely`,
      };
    }
  }
  return undefined;
}
