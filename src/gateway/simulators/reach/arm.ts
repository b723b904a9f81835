import type { Range } from "../../../payload/robots.ts";
import { addVectors, NO_ROTATION, type Rotation, rotateVector, turnAbout, type Vector } from "./vector.ts";

export const sides = ["left", "right"] as const;

export type Side = (typeof sides)[number];

/** One joint of the chain: it turns what follows about an axis of its own frame. */
interface Joint {
  readonly axis: "x" | "y" | "z";
  /** From this joint to the next one, or to the tip, in metres. */
  readonly reach: Vector;
  /** In radians, of the left arm; the right one is its mirror image. */
  readonly limits: Range;
}

/**
 * An arm of 7 joints as people have it: shoulder (3), elbow (1), forearm and wrist (3). With every joint at 0 it hangs
 * straight down. A negative angle about y swings forward, a positive one about x to the left.
 */
const chain: readonly Joint[] = [
  { axis: "y", reach: [0, 0, 0], limits: { least: -2.8, most: 2.8 } },
  { axis: "x", reach: [0, 0, 0], limits: { least: -0.6, most: 2 } },
  { axis: "z", reach: [0, 0, -0.3], limits: { least: -2.8, most: 2.8 } },
  { axis: "y", reach: [0, 0, 0], limits: { least: -2.4, most: 0.1 } },
  { axis: "z", reach: [0, 0, -0.27], limits: { least: -2.8, most: 2.8 } },
  { axis: "y", reach: [0, 0, 0], limits: { least: -1.6, most: 1.6 } },
  { axis: "x", reach: [0, 0, -0.15], limits: { least: -1.6, most: 1.6 } },
];

export const ARM_JOINTS = chain.length;

/** Forearms forward, over the table; of the left arm. */
const home: readonly number[] = [-0.5, 0.25, 0, -1.1, 0, 0.25, 0];

/** Where the arms are fixed, in `base_link`: x forward, y left, z up, on the floor below the robot. */
export const ARM_BASE: Vector = [0, 0, 1.2];
const SHOULDER_Y = 0.22;

/** Where an arm is, in `base_link`. */
export interface ArmPose {
  /** Shoulder, elbow, wrist, tip. */
  readonly points: readonly [Vector, Vector, Vector, Vector];
  /** Of the hand, which points along its own -z. */
  readonly rotation: Rotation;
}

/** Forward kinematics: seven angles in radians become the places of the arm. */
export function findArmPose(side: Side, joints: readonly number[]): ArmPose {
  const shoulder = addVectors(ARM_BASE, [0, side === "left" ? SHOULDER_Y : -SHOULDER_Y, 0]);
  const points: Vector[] = [shoulder];
  let at = shoulder;
  let rotation = NO_ROTATION;
  for (const [index, { axis, reach }] of chain.entries()) {
    rotation = turnAbout(rotation, axis, joints[index] as number);
    if (reach[2] === 0) continue;
    at = addVectors(at, rotateVector(rotation, reach));
    points.push(at);
  }
  return { points: points as unknown as ArmPose["points"], rotation };
}

export function findTip({ points }: ArmPose): Vector {
  return points[3];
}

export function makeHome(side: Side): number[] {
  return home.map((angle, joint) => mirror(side, joint, angle));
}

/** The angle of a left arm as that of the mirror image on this side. */
export function mirror(side: Side, joint: number, angle: number): number {
  return side === "left" || chain[joint]?.axis === "y" ? angle : -angle;
}

/** The angle, or the end of the joint's way that it lies beyond. */
export function keepWithinLimits(side: Side, joint: number, angle: number): number {
  const { least, most } = (chain[joint] as Joint).limits;
  return mirror(side, joint, Math.min(most, Math.max(least, mirror(side, joint, angle))));
}
