import type { Action, Part } from "../action.ts";
import { countNumbers, describeValue } from "../describe-value.ts";
import type { Finding, Rule } from "../rule.ts";

export const ARM_WIDTH = 7;
const MOST_STEPS = 64;

export function listArms({ parts }: Action): Part[] {
  return [parts.left_arm, parts.right_arm];
}

/** Arms, grippers, their widths and their number of steps: what the simulator takes for granted. */
export const shapeRules: readonly Rule<Action>[] = [
  {
    name: "arms-present",
    level: "hard",
    wants: "Both arms are there, each a map with values.",
    needs: ["envelope"],
    find: (action) => findMissing(listArms(action)),
  },
  {
    name: "effectors-present",
    level: "hard",
    wants: "Both grippers are there.",
    needs: ["envelope"],
    find: ({ parts }) => findMissing([parts.left_effector, parts.right_effector]),
  },
  {
    name: "arm-kind",
    level: "hard",
    wants: "Both arms are of one kind, JOINT_ABS or EEF_ABS.",
    needs: ["arms-present"],
    find: findBadKind,
  },
  {
    name: "numeric-lists",
    level: "hard",
    wants: "Values are lists of lists of numbers: a row a step.",
    needs: ["arms-present", "effectors-present"],
    find: (action) => listNeededParts(action).find(({ problem }) => problem)?.problem,
  },
  {
    name: "arm-width",
    level: "hard",
    wants: "Each step of an arm has 7 numbers.",
    needs: ["numeric-lists"],
    find: (action) =>
      findBadWidth(listArms(action), ARM_WIDTH, "an arm takes 7 (joints; or x, y, z and a quaternion)"),
  },
  {
    name: "effector-width",
    level: "hard",
    wants: "Each step of a gripper has 1 number.",
    needs: ["numeric-lists"],
    find: ({ parts }) => findBadWidth([parts.left_effector, parts.right_effector], 1, "a gripper takes 1"),
  },
  {
    name: "horizon-range",
    level: "hard",
    wants: "Each part has from 1 to 64 steps.",
    needs: ["numeric-lists"],
    find: findBadHorizon,
  },
  {
    name: "equal-horizon",
    level: "hard",
    wants: "All parts have the same number of steps.",
    needs: ["horizon-range"],
    find: findUnequalHorizon,
  },
];

/** The parts that every action has. */
function listNeededParts({ parts }: Action): Part[] {
  return [parts.left_arm, parts.right_arm, parts.left_effector, parts.right_effector];
}

function findMissing(parts: Part[]): Finding | undefined {
  const missing = parts.find(({ sent }) => sent === undefined || sent === null);
  if (missing === undefined) return undefined;
  return { path: `result.${missing.name}`, says: "is missing: the simulator stops without it" };
}

function findBadKind({ parts }: Action): Finding | undefined {
  const left = parts.left_arm.kind ?? "JOINT_ABS";
  const right = parts.right_arm.kind ?? "JOINT_ABS";
  for (const [name, kind] of [["left_arm", left] as const, ["right_arm", right] as const]) {
    if (kind === "JOINT_ABS" || kind === "EEF_ABS") continue;
    return { path: `result.${name}.kind`, says: `is ${describeValue(kind)}: it can be JOINT_ABS or EEF_ABS` };
  }
  if (left === right) return undefined;
  return {
    path: "result.right_arm.kind",
    says: `is ${right} while the left arm has ${left}: both take the same`,
  };
}

function findBadWidth(parts: Part[], width: number, takes: string): Finding | undefined {
  for (const { path, rows } of parts) {
    const step = rows.findIndex((row) => row.length !== width);
    if (step !== -1)
      return { path: `${path}[${step}]`, says: `has ${countNumbers(rows[step] as number[])}: ${takes}` };
  }
  return undefined;
}

function findBadHorizon(action: Action): Finding | undefined {
  for (const { path, rows } of listNeededParts(action)) {
    if (rows.length === 0) return { path, says: "is empty: the simulator takes at least 1 step from it" };
    if (rows.length > MOST_STEPS)
      return { path, says: `has ${rows.length} steps: at most ${MOST_STEPS} are allowed` };
  }
  return undefined;
}

function findUnequalHorizon(action: Action): Finding | undefined {
  const [first, ...others] = listNeededParts(action) as [Part, ...Part[]];
  const other = others.find(({ rows }) => rows.length !== first.rows.length);
  if (other === undefined) return undefined;
  return {
    path: other.path,
    says: `has ${other.rows.length} steps and ${first.path} has ${first.rows.length}: all parts take the same number`,
  };
}
