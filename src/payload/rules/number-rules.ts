import type { Action, Part } from "../action.ts";
import { findRobot } from "../robots.ts";
import type { Finding, Rule } from "../rule.ts";
import { listArms } from "./shape-rules.ts";

const LARGEST = 1e4;
const LARGEST_JOINT_RAD = 3.5;
const LARGEST_POSE = 2;
const QUATERNION_AT = 3;
/** How far the length of a quaternion may be from 1: float32 and a little carelessness. */
const NORM_SLACK = 0.01;
/** Policies overshoot the end of a gripper's way a little; a wrong unit misses it by far. */
const GRIPPER_SLACK = 0.1;

const wellShaped = ["arm-width", "effector-width", "equal-horizon", "arm-kind"];

/** What the numbers are, each for itself. */
export const numberRules: readonly Rule<Action>[] = [
  {
    name: "finite",
    level: "hard",
    wants: "Every number is finite.",
    needs: wellShaped,
    find: (action) =>
      findNumber(listSentParts(action), (value) => !Number.isFinite(value), "every number must be finite"),
  },
  {
    name: "magnitude",
    level: "hard",
    wants: "Every number is below 10,000.",
    needs: ["finite"],
    find: (action) =>
      findNumber(listSentParts(action), (value) => Math.abs(value) >= LARGEST, "numbers stay below 10000"),
  },
  {
    name: "joint-range",
    level: "soft",
    deep: true,
    wants: "Joint angles stay within 3.5 rad.",
    needs: ["magnitude"],
    find: (action) =>
      findNumber(
        listArmsOf(action, "JOINT_ABS"),
        (value) => Math.abs(value) > LARGEST_JOINT_RAD,
        `joints take radians within ${LARGEST_JOINT_RAD}`,
      ),
  },
  {
    name: "eef-range",
    level: "soft",
    deep: true,
    wants: "Poses stay within 2 metres.",
    needs: ["magnitude"],
    find: (action) =>
      findNumber(
        listArmsOf(action, "EEF_ABS"),
        (value) => Math.abs(value) > LARGEST_POSE,
        `poses take metres within ${LARGEST_POSE}`,
      ),
  },
  {
    name: "quaternion-norm",
    level: "soft",
    deep: true,
    wants: "The quaternion of a pose has the length 1.",
    needs: ["magnitude"],
    find: (action) => findBadQuaternion(listArmsOf(action, "EEF_ABS")),
  },
  {
    name: "gripper-range",
    level: "soft",
    deep: true,
    wants: "Grippers keep to the unit of their robot.",
    needs: ["magnitude"],
    find: findBadGripper,
  },
];

function listSentParts({ parts }: Action): Part[] {
  return Object.values(parts).filter(({ problem }) => problem === undefined);
}

function listArmsOf(action: Action, kind: string): Part[] {
  return listArms(action).filter((arm) => (arm.kind ?? "JOINT_ABS") === kind);
}

/** The first number that is bad, and how many more there are. */
function findNumber(parts: Part[], isBad: (value: number) => boolean, wanted: string): Finding | undefined {
  let path: string | undefined;
  let first = 0;
  let count = 0;
  for (const part of parts) {
    for (let step = 0; step < part.rows.length; step += 1) {
      const row = part.rows[step] as readonly number[];
      for (let column = 0; column < row.length; column += 1) {
        const value = row[column] as number;
        if (!isBad(value)) continue;
        count += 1;
        if (path !== undefined) continue;
        path = `${part.path}[${step}][${column}]`;
        first = value;
      }
    }
  }
  if (path === undefined) return undefined;
  return {
    path,
    says: `is ${first}${count > 1 ? ` (and ${count - 1} more like it)` : ""}: ${wanted}`,
  };
}

function findBadQuaternion(arms: Part[]): Finding | undefined {
  for (const { path, rows } of arms) {
    for (const [step, row] of rows.entries()) {
      const norm = Math.hypot(...row.slice(QUATERNION_AT));
      if (Math.abs(norm - 1) <= NORM_SLACK) continue;
      return {
        path: `${path}[${step}][3:7]`,
        says: `is a quaternion (x, y, z, w) of length ${norm.toFixed(3)}: divide it by its length`,
      };
    }
  }
  return undefined;
}

function findBadGripper({ parts, context }: Action): Finding | undefined {
  const robotType = context.state?.robotType;
  const range = findRobot(robotType)?.gripperAction;
  if (range === undefined) return undefined;
  const slack = GRIPPER_SLACK * (range.most - range.least);
  return findNumber(
    [parts.left_effector, parts.right_effector],
    (value) => value < range.least - slack || value > range.most + slack,
    `a ${robotType} takes ${range.least} to ${range.most}`,
  );
}
