import type { PartName } from "../../../payload/action.ts";
import { makeRandom } from "../make-random.ts";
import {
  ARM_JOINTS,
  type ArmPose,
  findArmPose,
  findTip,
  keepWithinLimits,
  makeHome,
  type Side,
} from "./arm.ts";
import { makeTargets, type Target } from "./targets.ts";
import { measureDistance } from "./vector.ts";

/** A row of an action is played in this time. */
export const TICK_MS = 33;
/** How far a joint turns in a tick at most: 1.8 rad a second. */
const MOST_TURN_RAD = 0.06;
/** How near the tip of a hand has to come. */
export const REACHED_M = 0.03;
/** What coming near a target gives at most; reaching it gives 1. */
const NEAR_CREDIT = 0.5;
const MOST_TARGETS = 6;
/** Of a G2: what its grippers can say and be told. */
const GRIPPER = { least: -0.785, most: 0 };

/** What an arm does in a case. Changed by `playRows` alone. */
export interface ArmState {
  readonly side: Side;
  readonly targets: readonly Target[];
  joints: number[];
  gripper: number;
  pose: ArmPose;
  /** How many targets were reached, and so the number of the one that is next. */
  reached: number;
  /** How far the tip was from that one when its turn came, and at the nearest since. */
  startM: number;
  nearestM: number;
}

export interface ReachCase {
  readonly arms: readonly [ArmState, ArmState];
  /** Rows that were played. */
  ticks: number;
}

/** The case of a seed. A policy that takes one observation a target has time for twice as many. */
export function makeReachCase(seed: number, steps: number): ReachCase {
  const random = makeRandom(seed);
  const count = Math.min(MOST_TARGETS, Math.max(1, Math.floor(steps / 2)));
  return { arms: [makeArm("left", count, random), makeArm("right", count, random)], ticks: 0 };
}

/** The rows of an action, as `readAction` gives them; of joints. */
export type Rows = Readonly<Record<PartName, { readonly rows: readonly (readonly number[])[] }>>;

/** Plays an action row by row. Each joint follows as fast as it can; waist and head stay where they are. */
export function playRows(reachCase: ReachCase, parts: Rows): void {
  for (const step of parts.left_arm.rows.keys()) {
    reachCase.ticks += 1;
    for (const arm of reachCase.arms) {
      const wanted = parts[`${arm.side}_arm`].rows[step] as readonly number[];
      const [gripper] = parts[`${arm.side}_effector`].rows[step] as readonly [number];
      moveArm(arm, wanted, gripper);
    }
  }
}

export function isDone({ arms }: ReachCase): boolean {
  return arms.every(({ reached, targets }) => reached === targets.length);
}

/** The share of targets that were reached, from 0 to 1; one that was come near counts for half at most. */
export function scoreCase({ arms }: ReachCase): number {
  const credits = arms.map((arm) => arm.reached + scoreNext(arm));
  const targets = arms.reduce((sum, arm) => sum + arm.targets.length, 0);
  return credits.reduce((sum, credit) => sum + credit, 0) / targets;
}

/** What the next target of an arm counts so far. */
export function scoreNext({ reached, targets, startM, nearestM }: ArmState): number {
  if (reached === targets.length) return 0;
  return (NEAR_CREDIT * (startM - nearestM)) / Math.max(startM, REACHED_M);
}

function makeArm(side: Side, count: number, random: () => number): ArmState {
  const joints = makeHome(side);
  const arm = { side, targets: makeTargets(side, count, random), joints, pose: findArmPose(side, joints) };
  const state = { ...arm, gripper: GRIPPER.least / 2, reached: 0, startM: 0, nearestM: 0 };
  beginTarget(state);
  return state;
}

function moveArm(arm: ArmState, wanted: readonly number[], gripper: number) {
  for (let joint = 0; joint < ARM_JOINTS; joint += 1) {
    const now = arm.joints[joint] as number;
    const turn = keepWithinLimits(arm.side, joint, wanted[joint] as number) - now;
    arm.joints[joint] = now + Math.min(MOST_TURN_RAD, Math.max(-MOST_TURN_RAD, turn));
  }
  arm.gripper = Math.min(GRIPPER.most, Math.max(GRIPPER.least, gripper));
  arm.pose = findArmPose(arm.side, arm.joints);
  const next = arm.targets[arm.reached];
  if (next === undefined) return;
  arm.nearestM = Math.min(arm.nearestM, measureDistance(findTip(arm.pose), next.place));
  if (arm.nearestM > REACHED_M) return;
  arm.reached += 1;
  beginTarget(arm);
}

function beginTarget(arm: ArmState) {
  const next = arm.targets[arm.reached];
  if (next === undefined) return;
  arm.startM = measureDistance(findTip(arm.pose), next.place);
  arm.nearestM = arm.startM;
}
