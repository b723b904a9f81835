import { type Camera, cameras, type PictureSize } from "../../../payload/robots.ts";
import { type ArmPose, findTip, type Side } from "./arm.ts";
import { type CameraView, makeView } from "./camera.ts";
import { Canvas, type Colour } from "./canvas.ts";
import { type ArmState, isDone, REACHED_M, type ReachCase } from "./reach-case.ts";
import { drawFace, drawSolids, type Solid } from "./solids.ts";
import { addVectors, findAxis, type Vector } from "./vector.ts";

const WALL: Colour = [206, 214, 222];
const FLOOR: Colour = [158, 164, 170];
const TABLE: Colour = [222, 205, 178];
const LINE: Colour = [190, 170, 140];
const SHADOW: Colour = [150, 130, 105];
const WAITING: Colour = [245, 245, 245];
const REACHED: Colour = [40, 170, 70];
/** An arm and its target have one colour, the target the stronger one. */
const armColours: Readonly<Record<Side, Colour>> = { left: [66, 120, 190], right: [200, 120, 50] };
const targetColours: Readonly<Record<Side, Colour>> = { left: [0, 70, 255], right: [255, 60, 0] };

const TABLE_Z = 0.72;
const tableTop = { near: 0.18, far: 1, left: 0.8, right: -0.8 };
const GRID_M = 0.2;
const HEAD_ANGLE = 1.15;
const HAND_ANGLE = 1.4;
/** From the wrist back, so that the fingers are in view. */
const HAND_EYE_M = 0.07;

export type Canvases = Readonly<Record<Camera, Canvas>>;

/** To be drawn on again and again: a hand's picture takes 4 MB. */
export function makeCanvases(sizes: Readonly<Record<Camera, PictureSize>>): Canvases {
  const make = (camera: Camera) => [camera, new Canvas(sizes[camera])];
  return Object.fromEntries(cameras.map(make)) as Canvases;
}

/** Draws what the robot sees at the moment, from above its head and from both hands. */
export function drawViews(reachCase: ReachCase, canvases: Canvases): void {
  const solids = listSolids(reachCase);
  for (const camera of cameras) {
    const canvas = canvases[camera];
    const view = findView(reachCase, camera, canvas);
    drawRoom(canvas, view, reachCase);
    drawSolids(canvas, view, solids);
  }
  drawScore(canvases.head, reachCase);
}

function findView({ arms: [left, right] }: ReachCase, camera: Camera, size: PictureSize): CameraView {
  if (camera === "head") {
    return makeView([-0.2, 0, 2.02], [0.7, 0, -1], [0, 0, 1], { size, angle: HEAD_ANGLE });
  }
  const { points, rotation } = (camera === "hand_left" ? left : right).pose;
  const forward = addVectors([0, 0, 0], findAxis(rotation, 2), -1);
  const up = findAxis(rotation, 0);
  const eye = addVectors(addVectors(points[2], forward, -HAND_EYE_M), up, HAND_EYE_M);
  return makeView(eye, forward, up, { size, angle: HAND_ANGLE });
}

/** Wall, floor and table with a grid on it, and the shadows on the table, which show where things are above it. */
function drawRoom(canvas: Canvas, view: CameraView, { arms }: ReachCase) {
  canvas.fillAll(WALL);
  drawFace(canvas, view, makeLevel(0, { near: -3, far: 3, left: 3, right: -3 }), FLOOR);
  drawFace(canvas, view, makeLevel(TABLE_Z, tableTop), TABLE);
  for (let x = GRID_M; x <= tableTop.far; x += GRID_M) {
    drawFace(canvas, view, makeLevel(TABLE_Z, { ...tableTop, near: x - 0.002, far: x + 0.002 }), LINE);
  }
  for (let y = tableTop.right; y <= tableTop.left; y += GRID_M) {
    drawFace(canvas, view, makeLevel(TABLE_Z, { ...tableTop, left: y + 0.002, right: y - 0.002 }), LINE);
  }
  for (const { pose, targets, reached } of arms) {
    const places = [findTip(pose), targets[reached]?.place].filter((place) => place !== undefined);
    for (const [x, y] of places) drawFace(canvas, view, makeRound([x, y, TABLE_Z], REACHED_M), SHADOW);
  }
}

function makeLevel(z: number, { near, far, left, right }: typeof tableTop): Vector[] {
  return [
    [near, left, z],
    [far, left, z],
    [far, right, z],
    [near, right, z],
  ];
}

function makeRound([x, y, z]: Vector, radius: number): Vector[] {
  return Array.from({ length: 12 }, (_, corner) => {
    const angle = (corner * Math.PI) / 6;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle), z];
  });
}

function listSolids({ arms }: ReachCase): Solid[] {
  return arms.flatMap((arm) => [...listArm(arm), ...listTarget(arm)]);
}

function listArm({ side, pose, gripper }: ArmState): Solid[] {
  const colour = armColours[side];
  const [shoulder, elbow, wrist] = pose.points;
  return [
    { kind: "ball", centre: shoulder, radius: 0.055, colour },
    { kind: "bar", ends: [shoulder, elbow], radius: 0.045, colour },
    { kind: "ball", centre: elbow, radius: 0.052, colour },
    { kind: "bar", ends: [elbow, wrist], radius: 0.038, colour },
    { kind: "ball", centre: wrist, radius: 0.042, colour: [70, 74, 80] },
    ...listFingers(pose, gripper),
  ];
}

/** Two fingers on both sides of the tip, the farther apart the farther the gripper is from 0. */
function listFingers(pose: ArmPose, gripper: number): Solid[] {
  const across = findAxis(pose.rotation, 1);
  const half = 0.012 + 0.03 * Math.abs(gripper);
  return [half, -half].map((by) => ({
    kind: "bar",
    ends: [addVectors(pose.points[2], across, by), addVectors(findTip(pose), across, by)],
    radius: 0.01,
    colour: [70, 74, 80],
  }));
}

function listTarget({ side, targets, reached }: ArmState): Solid[] {
  const target = targets[reached];
  if (target === undefined) return [];
  const [x, y] = target.place;
  const colour = targetColours[side];
  return [
    { kind: "bar", ends: [[x, y, TABLE_Z], target.place], radius: 0.004, colour },
    { kind: "ball", centre: target.place, radius: REACHED_M, colour },
  ];
}

/** A row of squares for each arm, one a target: green is reached. The frame is green when all are. */
function drawScore(canvas: Canvas, reachCase: ReachCase) {
  const { width } = canvas;
  for (const { side, targets, reached } of reachCase.arms) {
    for (const number of targets.keys()) {
      const left = side === "left" ? 12 + 22 * number : width - 12 - 22 * (targets.length - number) + 6;
      canvas.fillRectangle([left - 2, 10], [left + 18, 30], targetColours[side]);
      canvas.fillRectangle([left, 12], [left + 16, 28], number < reached ? REACHED : WAITING);
    }
  }
  if (isDone(reachCase)) canvas.fillRectangle([0, 0], [width, 6], REACHED);
}
