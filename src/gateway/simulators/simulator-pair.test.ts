import { MessageChannel } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { SortieError } from "../../base/error.ts";
import type { Policy, Simulator } from "../simulator.ts";
import { playOver, serveCases } from "./simulator-pair.ts";

const spec = { board: "b", task: "t", index: 0, seed: 1 };

/** Both ends in one thread. */
function link() {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  return { here: port1, there: port2 };
}

/** Plays one case of a simulator over a pair. */
function play(simulator: Simulator, infer: Policy["infer"], signals: readonly AbortSignal[] = []) {
  const { here, there } = link();
  serveCases(there, simulator);
  return playOver(here, { sessionId: "s1", infer }, spec, signals);
}

/** What becomes of a case whose other end says this and no more. */
function playAgainst(message: unknown) {
  const { here, there } = link();
  there.on("message", () => there.postMessage(message));
  return playOver(here, { sessionId: "s1", infer: () => new Promise(() => undefined) }, spec, []);
}

describe("a pair of simulator and policy", () => {
  it.each([10, 500_000])("carries observations and actions of %i bytes", async (bytes) => {
    const seen: unknown[] = [];
    const simulator: Simulator = async (policy, played) => {
      const action = await policy.infer(new Uint8Array(bytes).fill(3));
      seen.push(policy.sessionId, played, action);
      return { score: 0.5, steps: 1 };
    };
    const ending = await play(simulator, async (observation) => {
      seen.push(observation.length, observation.at(-1));
      // A view of a larger buffer, as frames are.
      return new Uint8Array(2 * bytes).fill(4).subarray(1, bytes);
    });
    expect(ending).toEqual({ result: { score: 0.5, steps: 1 } });
    expect(seen).toEqual([bytes, 3, "s1", spec, new Uint8Array(bytes - 1).fill(4)]);
  });

  it("gives a large observation away instead of copying it", async () => {
    const left: number[] = [];
    await play(
      async (policy) => {
        const observation = new Uint8Array(500_000);
        const answer = policy.infer(observation);
        left.push(observation.length);
        await answer;
        return { score: null, steps: 1 };
      },
      async () => new Uint8Array(1),
    );
    expect(left).toEqual([0]);
  });

  it("plays case after case", async () => {
    const { here, there } = link();
    serveCases(there, async (policy) => ({
      score: (await policy.infer(new Uint8Array(1))).length / 10,
      steps: 1,
    }));
    for (const length of [1, 2, 3]) {
      const ending = await playOver(
        here,
        { sessionId: "s", infer: async () => new Uint8Array(length) },
        spec,
        [],
      );
      expect(ending).toEqual({ result: { score: length / 10, steps: 1 } });
    }
    expect(here.listenerCount("message")).toBe(0);
  });

  it("tells faults of the policy from the simulator's own", async () => {
    const policyFault = new SortieError("policy_failed", { reason: "no weights" });
    await expect(
      play(
        () => Promise.reject(policyFault),
        async () => new Uint8Array(),
      ),
    ).resolves.toMatchObject({
      fault: { code: "policy_failed", details: { reason: "no weights" } },
    });
    await expect(
      play(
        () => Promise.reject("odd"),
        async () => new Uint8Array(),
      ),
    ).resolves.toMatchObject({
      fault: { code: "simulator_failed", details: { reason: "odd" } },
    });
  });

  it("rejects as the policy does, and with the reason of a signal", async () => {
    const lost = new SortieError("session_lost", { session: "s1" });
    const ask: Simulator = async (policy) => ({
      score: (await policy.infer(new Uint8Array(1))).length,
      steps: 1,
    });
    await expect(play(ask, () => Promise.reject(lost))).rejects.toBe(lost);
    const ended = new AbortController();
    const hangs = play(
      () => new Promise(() => undefined),
      async () => new Uint8Array(),
      [ended.signal],
    );
    ended.abort(lost);
    await expect(hangs).rejects.toBe(lost);
    await expect(play(ask, async () => new Uint8Array(), [ended.signal])).rejects.toBe(lost);
  });

  it.each([
    ["text", "hello"],
    ["nothing", undefined],
    ["another type", { type: "hello" }],
    ["an observation that is no bytes", { type: "observation", bytes: "abc" }],
    ["a result without one", { type: "result" }],
    ["a score of 7", { type: "result", result: { score: 7, steps: 1 } }],
    ["a score below 0", { type: "result", result: { score: -0.1, steps: 1 } }],
    ["a score that is no number", { type: "result", result: { score: Number.NaN, steps: 1 } }],
    ["a score in words", { type: "result", result: { score: "1", steps: 1 } }],
    ["half a step", { type: "result", result: { score: 1, steps: 0.5 } }],
  ])("refuses %s", async (_, message) => {
    await expect(playAgainst(message)).rejects.toMatchObject({ code: "simulator_failed" });
  });

  it("refuses an observation while another one waits", async () => {
    const { here, there } = link();
    there.on("message", () => {
      for (const byte of [1, 2]) there.postMessage({ type: "observation", bytes: Uint8Array.of(byte) });
    });
    const policy = { sessionId: "s", infer: () => new Promise<never>(() => undefined) };
    await expect(playOver(here, policy, spec, [])).rejects.toMatchObject({
      code: "simulator_failed",
      message: expect.stringContaining("before the last one was answered"),
    });
  });
});
