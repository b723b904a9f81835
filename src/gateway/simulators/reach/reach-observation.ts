import {
  makeObservation,
  makeRestingState,
  type Picture,
  type RobotState,
} from "../../../payload/make-observation.ts";
import type { Packable } from "../../../payload/pack.ts";
import { type Camera, cameras, type Robot, robots } from "../../../payload/robots.ts";
import type { CaseSpec } from "../../simulator.ts";
import { ARM_BASE, findTip, sides } from "./arm.ts";
import { type Canvases, drawViews, makeCanvases } from "./draw-views.ts";
import { type ArmState, type ReachCase, scoreNext, TICK_MS } from "./reach-case.ts";
import { makeQuaternion, subtractVectors, type Vector } from "./vector.ts";

export const ROBOT = "G2_omnipicker";
const FIRST_TIME_NS = 1_750_000_000_000_000_000n;
const NS_PER_MS = 1_000_000n;
const QUALITY = 95;

export type Pictures = Readonly<Record<Camera, Picture>>;

/** The moment before, for the history of an observation. */
export interface Earlier {
  readonly pictures: Pictures;
  readonly ticks: number;
}

/** Canvases of the robot's sizes. */
export function makeRobotCanvases(): Canvases {
  return makeCanvases((robots[ROBOT] as Robot).pictures);
}

/** Draws the moment and encodes it. The encoder is loaded with the first call. */
export async function takePictures(reachCase: ReachCase, canvases: Canvases): Promise<Pictures> {
  const { default: sharp } = await import("sharp");
  drawViews(reachCase, canvases);
  const encode = async (camera: Camera): Promise<[Camera, Picture]> => {
    const { pixels, height, width } = canvases[camera];
    const image = sharp(pixels, { raw: { height, width, channels: 3 } });
    return [camera, { height, width, jpeg: await image.jpeg({ quality: QUALITY }).toBuffer() }];
  };
  return Object.fromEntries(await Promise.all(cameras.map(encode))) as Pictures;
}

/**
 * The observation of the moment. A policy that does not look at pictures finds the next target of each arm in
 * `task_progress`: see `nameTarget`.
 */
export function makeReachObservation(
  spec: CaseSpec,
  reachCase: ReachCase,
  pictures: Pictures,
  earlier: Earlier | undefined,
): Uint8Array {
  return makeObservation({
    robotType: ROBOT,
    timeNs: FIRST_TIME_NS + BigInt(reachCase.ticks * TICK_MS) * NS_PER_MS,
    pictures,
    state: readRobotState(reachCase),
    prompt: "Reach the ball of each arm's own colour with the tip of that hand: blue left, red right.",
    taskName: spec.task,
    episodeIndex: spec.index,
    progress: reachCase.arms.map((arm) => ({
      name: nameTarget(arm),
      score: (arm.reached + scoreNext(arm)) / arm.targets.length,
      status: arm.reached === arm.targets.length ? "DONE" : "PENDING",
    })),
    history: earlier && {
      interval: reachCase.ticks - earlier.ticks,
      pictures: [{ head: earlier.pictures.head }],
    },
  });
}

/** Joints and grippers, and the places of the hands in both frames, which are turned alike. */
export function readRobotState({ arms }: ReachCase): RobotState {
  return {
    ...makeRestingState(ROBOT),
    armJoints: arms.flatMap(({ joints }) => joints),
    grippers: arms.map(({ gripper }) => gripper),
    endPose: { base_link: makePoses(arms, [0, 0, 0]), arm_base_link: makePoses(arms, ARM_BASE) },
  };
}

function makePoses(arms: readonly ArmState[], origin: Vector): Packable {
  const poses = arms.map(({ pose }) => ({
    position: subtractVectors(findTip(pose), origin),
    orientation: makeQuaternion(pose.rotation),
  }));
  return Object.fromEntries(sides.map((side, index) => [`${side}_arm`, poses[index]]));
}

/**
 * `left 2/5: xyz 0.412 0.198 0.961 joints -0.412 0.311 …`: which target, its place in metres in `base_link`, and seven
 * angles in radians with which the tip is there; `left 5/5: done` at the end.
 */
function nameTarget({ side, targets, reached }: ArmState): string {
  const target = targets[reached];
  if (target === undefined) return `${side} ${targets.length}/${targets.length}: done`;
  const write = (numbers: readonly number[]) => numbers.map((number) => number.toFixed(3)).join(" ");
  return `${side} ${reached + 1}/${targets.length}: xyz ${write(target.place)} joints ${write(target.joints)}`;
}
