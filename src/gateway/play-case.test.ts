import { describe, expect, it } from "vitest";
import { SortieError } from "../base/error.ts";
import { playCase } from "./play-case.ts";
import { Session } from "./session.ts";
import { makeAgentEnd, makeCancelled } from "./session-loss.ts";
import type { Simulator } from "./simulator.ts";

const spec = { task: "pick", index: 0, seed: 0 };
const result = { score: 0.5, steps: 2 };

function play(simulator: Simulator, session = new Session("s", { sendObservation: () => true }, false)) {
  const giveUp = new AbortController();
  return {
    session,
    giveUp,
    end: playCase({ simulator, policy: session, session, spec, signal: giveUp.signal }),
  };
}

describe("a case", () => {
  it("ends with the simulator's result", async () => {
    expect(await play(async () => result).end).toEqual({ spec, result });
  });

  it("may end without a score, which is not 0", async () => {
    const unscored = { score: null, steps: 2 };
    expect(await play(async () => unscored).end).toEqual({ spec, result: unscored });
  });

  it("has no result where the score is none", async () => {
    for (const score of [-0.1, 1.1, Number.NaN]) {
      expect(await play(async () => ({ score, steps: 1 })).end).toMatchObject({
        failure: "simulator_error",
        detail: `the simulator gave the score ${score}`,
      });
    }
  });

  it("fails by its simulator, by the agent, or by the loss of its session", async () => {
    const fail = (thrown: unknown) => play(() => Promise.reject(thrown)).end;
    expect(await fail(new TypeError("no robot"))).toEqual({
      spec,
      failure: "simulator_error",
      detail: "the simulator failed: no robot",
    });
    expect(await fail(new SortieError("policy_failed", { reason: "no weights" }))).toMatchObject({
      failure: "agent_error",
      detail: expect.stringContaining("no weights"),
    });
    const { session, end } = play((policy) => policy.infer(Buffer.from("look")).then(() => result));
    session.end(makeAgentEnd("s", "tired"));
    expect(await end).toMatchObject({
      failure: "agent_error",
      detail: "the agent closed the session: tired",
    });
  });

  it("throws nothing where a simulator throws before it begins", async () => {
    const broken = (() => {
      throw new RangeError("at once");
    }) as unknown as Simulator;
    expect(await play(broken).end).toMatchObject({
      failure: "simulator_error",
      detail: "the simulator failed: at once",
    });
  });

  it("is given up without its simulator's help", async () => {
    const { session, giveUp, end } = play(() => new Promise(() => undefined));
    session.end(makeCancelled("s"));
    giveUp.abort();
    expect(await end).toEqual({ spec, failure: "cancelled", detail: "the job is drained" });
  });
});
