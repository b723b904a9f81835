import { describe, expect, it } from "vitest";
import { ARM_JOINTS, findArmPose, findTip, keepWithinLimits, makeHome, mirror } from "./arm.ts";
import { findAxis, makeQuaternion, measureDistance, type Vector } from "./vector.ts";

const still = new Array(ARM_JOINTS).fill(0);

/** The arm with one joint turned. */
const turn = (joint: number, angle: number) => still.map((_, index) => (index === joint ? angle : 0));

function expectAt(place: Vector, wanted: Vector) {
  expect(measureDistance(place, wanted)).toBeLessThan(1e-9);
}

/** What the quaternion (x, y, z, w) makes of the direction of an axis. */
function turnAxis([x, y, z, w]: ReturnType<typeof makeQuaternion>, axis: 0 | 1 | 2): Vector {
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  return columns[axis] as unknown as Vector;
}

describe("an arm", () => {
  it("hangs straight down with every joint at 0", () => {
    const { points, rotation } = findArmPose("left", still);
    const heights = [1.2, 0.9, 0.63, 0.48];
    for (const [index, z] of heights.entries()) expectAt(points[index] as Vector, [0, 0.22, z]);
    expect(makeQuaternion(rotation)).toEqual([0, 0, 0, 1]);
  });

  it("swings forward by a negative first joint, and to the left by a positive second one", () => {
    expectAt(findTip(findArmPose("right", turn(0, -Math.PI / 2))), [0.72, -0.22, 1.2]);
    expectAt(findTip(findArmPose("left", turn(1, Math.PI / 2))), [0, 0.94, 1.2]);
    expectAt(findTip(findArmPose("left", turn(3, -Math.PI / 2))), [0.42, 0.22, 0.9]);
  });

  it("has its mirror image on the other side", () => {
    const left = [0.1, 0.4, -0.3, -1, 0.6, 0.2, -0.5];
    const [x, y, z] = findTip(findArmPose("left", left));
    const right = left.map((angle, joint) => mirror("right", joint, angle));
    expectAt(findTip(findArmPose("right", right)), [x, -y, z]);
    expect(makeHome("right")[1]).toBe(-(makeHome("left")[1] as number));
  });

  it("keeps its joints within their limits, mirrored too", () => {
    expect([keepWithinLimits("left", 1, 9), keepWithinLimits("right", 1, -9)]).toEqual([2, -2]);
    expect([keepWithinLimits("left", 1, -9), keepWithinLimits("right", 1, 9)]).toEqual([-0.6, 0.6]);
    expect(keepWithinLimits("right", 3, 9)).toBe(0.1);
  });

  it.each([
    [[0.3, -0.5, 1.2, -0.7, 0.2, 0.9, -1.1]],
    [turn(0, Math.PI)],
    [turn(1, Math.PI)],
    [turn(2, Math.PI)],
    [turn(2, -3)],
    [turn(0, 3)],
  ])("has the quaternion of its hand's rotation at %j", (joints) => {
    const { rotation } = findArmPose("left", joints);
    const quaternion = makeQuaternion(rotation);
    expect(Math.hypot(...quaternion)).toBeCloseTo(1);
    expect(quaternion[3]).toBeGreaterThanOrEqual(0);
    for (const axis of [0, 1, 2] as const) expectAt(turnAxis(quaternion, axis), findAxis(rotation, axis));
  });
});
