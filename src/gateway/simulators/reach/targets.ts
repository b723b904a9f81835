import { ARM_JOINTS, findArmPose, findTip, keepWithinLimits, makeHome, mirror, type Side } from "./arm.ts";
import { measureDistance, type Vector } from "./vector.ts";

/** Where the tip of a hand has to go. */
export interface Target {
  /** Metres in `base_link`. */
  readonly place: Vector;
  /** Angles, rounded to what observations tell, with which the hand is there: one way of many. */
  readonly joints: readonly number[];
}

/** How far the joints of a target lie from home, in radians. */
const SPREAD = [0.5, 0.35, 0.5, 0.5, 0.6, 0.4, 0.4];
const LEAST_WAY_M = 0.12;
/** In front of the robot, above the table, in view of the head. */
const space = { least: [0.3, -0.55, 0.78], most: [0.68, 0.55, 1.3] } as const;
const MOST_TRIES = 200;
const DIGITS = 1000;

/** Targets of an arm, to be reached one after another; each is some way from the one before. */
export function makeTargets(side: Side, count: number, random: () => number): Target[] {
  const targets: Target[] = [];
  let from = findTip(findArmPose(side, makeHome(side)));
  for (let number = 0; number < count; number += 1) {
    const target = findTarget(side, from, random);
    targets.push(target);
    from = target.place;
  }
  return targets;
}

function findTarget(side: Side, from: Vector, random: () => number): Target {
  let target = makeTarget(side, random);
  for (let tries = 1; tries < MOST_TRIES && !isGood(target, from); tries += 1) {
    target = makeTarget(side, random);
  }
  return target;
}

function makeTarget(side: Side, random: () => number): Target {
  const home = makeHome(side);
  const joints = Array.from({ length: ARM_JOINTS }, (_, joint) => {
    const stray = (2 * random() - 1) * (SPREAD[joint] as number);
    const angle = (home[joint] as number) + mirror(side, joint, stray);
    return Math.round(DIGITS * keepWithinLimits(side, joint, angle)) / DIGITS;
  });
  return { joints, place: findTip(findArmPose(side, joints)) };
}

function isGood({ place }: Target, from: Vector): boolean {
  const isInside = place.every(
    (value, axis) => value >= (space.least[axis] as number) && value <= (space.most[axis] as number),
  );
  return isInside && measureDistance(place, from) >= LEAST_WAY_M;
}
