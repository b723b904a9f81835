import { describe, expect, it } from "vitest";
import { makeAction, packAction } from "../../../test/support/actions.ts";
import { checkObservation } from "../../payload/check-observation.ts";
import { makeErrorEnvelope } from "../../payload/error-envelope.ts";
import { readObservation, takeApart } from "../../payload/observation.ts";
import { pack } from "../../payload/pack.ts";
import { makeEchoSimulator } from "./echo.ts";

const spec = { task: "pick", index: 3, seed: 7 };

/** Plays a case with these answers, one after another. */
async function play(simulator: ReturnType<typeof makeEchoSimulator>, answer: (step: number) => Uint8Array) {
  const observations: Uint8Array[] = [];
  const policy = {
    sessionId: "s",
    infer: async (observation: Uint8Array) => answer(observations.push(observation) - 1),
  };
  const result = await simulator(policy, spec, new AbortController().signal);
  return { observations, result };
}

const action = pack(makeAction());

describe("the echo simulator", () => {
  it("shows observations of real size, each another, the first without history", async () => {
    const { observations, result } = await play(makeEchoSimulator({ steps: 3 }), () => action);
    expect(result).toEqual({ score: 1, steps: 3, detail: undefined });
    for (const observation of observations) {
      expect(checkObservation(observation)).toEqual([]);
      expect(observation.length).toBeGreaterThan(600_000);
      expect(observation.length).toBeLessThan(900_000);
    }
    const params = observations.map((observation) => takeApart(observation).params);
    expect(params.map(({ prompt }) => prompt)).toEqual(
      [1, 2, 3].map((number) => `pick, observation ${number}`),
    );
    expect(new Set(params.map(({ timestamps }) => (timestamps as { head: bigint }).head)).size).toBe(3);
    expect(params.map((all) => "history" in all)).toEqual([false, true, true]);
    expect(readObservation(observations[0] as Uint8Array).state).toMatchObject({ episodeIndex: 3 });
  });

  it.each([85_000, 2_000_000, 8_000_000])("fills pictures up to %i bytes", async (frameBytes) => {
    const { observations } = await play(makeEchoSimulator({ steps: 1, frameBytes }), () => action);
    expect(checkObservation(observations[0] as Uint8Array)).toEqual([]);
    expect(Math.abs((observations[0] as Uint8Array).length - frameBytes)).toBeLessThan(100);
  });

  it("scores the share of actions that could be played, and tells the first fault", async () => {
    const broken = packAction(({ result }) => result.left_arm.values.pop());
    const { result } = await play(makeEchoSimulator({ steps: 4, frameBytes: 0 }), (step) =>
      step % 2 === 0 ? action : broken,
    );
    expect(result).toMatchObject({ score: 0.5, steps: 4, detail: expect.stringContaining("left_arm") });
  });

  it("knows the horizon of a board", async () => {
    const short = pack(makeAction(30));
    const manip = await play(makeEchoSimulator({ steps: 1, frameBytes: 0, board: "manip" }), () => short);
    expect(manip.result.score).toBe(1);
  });

  it("ends the case over an error instead of an action", async () => {
    const simulator = makeEchoSimulator({ steps: 4, frameBytes: 0 });
    await expect(play(simulator, () => makeErrorEnvelope("no weights"))).rejects.toMatchObject({
      code: "policy_failed",
      message: expect.stringContaining("no weights"),
    });
  });

  it("sends recorded observations byte for byte, whatever they are", async () => {
    const recorded = [Buffer.from("one"), Buffer.from("two")];
    const { observations, result } = await play(makeEchoSimulator({ steps: 3, recorded }), () => action);
    expect(observations).toEqual([recorded[0], recorded[1], recorded[0]]);
    expect(result.score).toBe(1);
  });
});
