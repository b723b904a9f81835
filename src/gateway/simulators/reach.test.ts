import { describe, expect, it } from "vitest";
import { packAction } from "../../../test/support/actions.ts";
import { checkObservation } from "../../payload/check-observation.ts";
import { makeErrorEnvelope } from "../../payload/error-envelope.ts";
import { readNumbers, takeApart } from "../../payload/observation.ts";
import { pack } from "../../payload/pack.ts";
import { makeReachSimulator } from "./reach.ts";

const spec = { task: "reach", index: 2, seed: 7 };

type Answer = (observation: Uint8Array) => Uint8Array;

async function play(answer: Answer, { seed = 7, steps = 6 } = {}) {
  const observations: Uint8Array[] = [];
  const infer = async (observation: Uint8Array) => {
    observations.push(observation);
    return answer(observation);
  };
  const simulator = makeReachSimulator({ steps });
  const result = await simulator({ sessionId: "s", infer }, { ...spec, seed }, new AbortController().signal);
  return { observations, result };
}

/** Both arms at once to the angles that the observation tells. */
function solve(observation: Uint8Array, rows = 50): Uint8Array {
  const joints = readRows(observation).map((row, side) => {
    const told = row.name.split("joints ")[1];
    return told === undefined ? readArm(observation, side) : told.split(" ").map(Number);
  });
  return makeChunk(joints, rows);
}

function holdStill(observation: Uint8Array): Uint8Array {
  return makeChunk([readArm(observation, 0), readArm(observation, 1)], 10);
}

function makeChunk([left = [], right = []]: number[][], rows: number): Uint8Array {
  const repeat = (row: number[]) => Array.from({ length: rows }, () => row);
  return pack({
    result: {
      left_arm: { kind: "JOINT_ABS", values: repeat(left) },
      right_arm: { kind: "JOINT_ABS", values: repeat(right) },
      left_effector: repeat([-0.2]),
      right_effector: repeat([-0.6]),
    },
  });
}

function readRows(observation: Uint8Array) {
  return takeApart(observation).params["task_progress"] as { name: string; score: number; status: string }[];
}

function readArm(observation: Uint8Array, side: number): number[] {
  const joints = readNumbers(takeApart(observation).states["arm_joint_states"]) as number[];
  return joints.slice(7 * side, 7 * side + 7);
}

describe("the reach simulator", () => {
  it("shows observations of the challenge, the first without history", async () => {
    const { observations, result } = await play(solve);
    expect(result).toMatchObject({ score: 1, steps: 3, detail: expect.stringContaining("3 of 3 targets") });
    for (const observation of observations) expect(checkObservation(observation)).toEqual([]);
    const params = observations.map((observation) => takeApart(observation).params);
    expect(params.map((all) => "history" in all)).toEqual([false, true, true]);
    expect(params.map(({ episode_idx: index }) => Number(index))).toEqual([2, 2, 2]);
    expect(takeApart(observations[1] as Uint8Array).states["gripper_states"]).toEqual([-0.2, -0.6]);
  });

  it("gives the same bytes for the same seed, and others for another", async () => {
    const [one, same, other] = await Promise.all([play(solve), play(solve), play(solve, { seed: 8 })]);
    expect(same.observations.map(Buffer.from)).toEqual(one.observations.map(Buffer.from));
    expect(Buffer.compare(other.observations[0] as Uint8Array, one.observations[0] as Uint8Array)).not.toBe(
      0,
    );
  });

  it("lets every target be reached, whatever the seed", async () => {
    const seeds = [0, 1, 2, 3, 2 ** 31, 2 ** 40];
    const scores = await Promise.all(seeds.map(async (seed) => (await play(solve, { seed })).result.score));
    expect(scores).toEqual(seeds.map(() => 1));
  });

  it("counts nothing for holding still, and a little for coming nearer", async () => {
    expect((await play(holdStill)).result).toMatchObject({ score: 0, steps: 6 });
    const slow = await play((observation) => solve(observation, 2), { steps: 2 });
    expect(slow.result.score).toBeGreaterThan(0.01);
    expect(slow.result.score).toBeLessThan(0.5);
  });

  it("turns a joint no faster than it can, and not beyond its limits", async () => {
    const { observations } = await play(() => makeChunk([new Array(7).fill(3), new Array(7).fill(-3)], 1), {
      steps: 2,
    });
    const [before, after] = observations.map((observation) => readArm(observation, 0)) as [
      number[],
      number[],
    ];
    for (const [joint, angle] of after.entries()) expect(angle - (before[joint] as number)).toBeCloseTo(0.06);
    const far = await play(() => makeChunk([new Array(7).fill(9), new Array(7).fill(-9)], 64), { steps: 3 });
    expect(readArm(far.observations.at(-1) as Uint8Array, 0)[3]).toBeCloseTo(0.1);
  });

  it.each([
    ["an error", () => makeErrorEnvelope("no weights"), "no weights"],
    ["no msgpack", () => Buffer.from("{}?"), "no msgpack"],
    ["a chunk of two lengths", () => packAction(({ result }) => result.left_arm.values.pop()), "left_arm"],
    [
      "poses",
      () =>
        packAction(
          ({ result }) =>
            Object.assign(result.left_arm, { kind: "EEF_ABS" }) &&
            Object.assign(result.right_arm, { kind: "EEF_ABS" }),
        ),
      "JOINT_ABS",
    ],
  ])("ends the case over %s", async (_, answer, words) => {
    await expect(play(answer)).rejects.toMatchObject({
      code: "policy_failed",
      message: expect.stringContaining(words),
    });
  });
});
