import { describe, expect, it, onTestFinished } from "vitest";
import { makeAction } from "../../../test/support/actions.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { SortieError } from "../../base/error.ts";
import { checkObservation } from "../../payload/check-observation.ts";
import { makeErrorEnvelope } from "../../payload/error-envelope.ts";
import { pack } from "../../payload/pack.ts";
import type { BoardConfig } from "../config/gateway-config.ts";
import type { Seat } from "../seat.ts";
import type { Policy, Simulator } from "../simulator.ts";
import { makeReachSimulator } from "./reach.ts";
import { openWorkerSeats } from "./worker-seats.ts";

const makeBoard = (name: string, simulator: BoardConfig["simulator"]): BoardConfig => ({
  ...{ name, simulator, payload: "g2", steps: 2, tasks: [] },
});
const boards = [makeBoard("arms", "reach"), makeBoard("manip", "echo"), makeBoard("far", "outside")];
const action = pack(makeAction());

/** Seats that close with the test, and what they told of faults. */
function open(options: Parameters<typeof openWorkerSeats>[3] = {}, workers = 1) {
  const faults: SortieError[] = [];
  const opened = openWorkerSeats(boards, workers, (fault) => faults.push(fault), options);
  onTestFinished(() => opened.close());
  return { ...opened, seat: opened.seats[0] as Seat, faults };
}

function play(
  seat: Seat,
  infer: Policy["infer"],
  { board = "arms", signal = new AbortController().signal } = {},
) {
  return seat.play({ sessionId: "s", infer }, { board, task: "t", index: 0, seed: 5 }, signal);
}

/** A program that does this at its first case and plays the next ones, in each of its threads. */
function makeProgram(atFirst: string): string {
  return `
    const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ spec }) => {
      if (spec?.board === "arms") { ${atFirst} }
      else parentPort.postMessage({ type: "result", result: { score: 1, steps: 0 } });
    });`;
}

describe("seats in worker threads", () => {
  it("play the boards whose simulators are built in", async () => {
    const { seat, seats, faults } = open({}, 2);
    expect(seats.map(({ boards }) => boards)).toEqual([
      ["arms", "manip"],
      ["arms", "manip"],
    ]);
    const issues: unknown[] = [];
    const infer = async (observation: Uint8Array) => {
      issues.push(...checkObservation(observation));
      return action;
    };
    expect(await play(seat, infer)).toMatchObject({ steps: 2, detail: expect.stringContaining("left hand") });
    expect(await play(seat, infer, { board: "manip" })).toEqual({ score: 1, steps: 2, detail: undefined });
    expect([issues, faults]).toEqual([[], []]);
  });

  it("are none where every board is played from outside", () => {
    expect(openWorkerSeats([makeBoard("far", "outside")], 4, () => undefined).seats).toEqual([]);
  });

  it("show the same bytes as the simulator in this thread", async () => {
    const { seat } = open();
    const spec = { board: "arms", task: "t", index: 0, seed: 5 };
    const watch = async (play: Simulator) => {
      const seen: Buffer[] = [];
      const infer = async (observation: Uint8Array) => {
        seen.push(Buffer.from(observation));
        return action;
      };
      await play({ sessionId: "s", infer }, spec, new AbortController().signal);
      return seen;
    };
    const [there, here] = [await watch(seat.play), await watch(makeReachSimulator({ steps: 2 }))];
    expect(there).toEqual(here);
  });

  it("pass on what the policy failed by, and keep their thread", async () => {
    const { seat, faults } = open();
    const failing = play(seat, async () => makeErrorEnvelope("no weights"));
    await expect(failing).rejects.toMatchObject({
      code: "policy_failed",
      details: { reason: expect.stringContaining("no weights") },
    });
    const lost = new Error("lost");
    await expect(play(seat, () => Promise.reject(lost))).rejects.toBe(lost);
    await expect(play(seat, async () => action)).resolves.toMatchObject({ steps: 2 });
    expect(faults).toEqual([]);
  });

  it.each([
    ["throws", "setImmediate(() => { throw new RangeError('oops') })", "oops"],
    ["exits", "process.exit(3)", "exit code 3"],
    ["takes all memory", "const all = []; for (;;) all.push(new Array(1000).fill(all.length))", "memory"],
  ])("reject a case whose thread %s, and work again", async (_, does, words) => {
    const { seat, faults } = open({ programText: makeProgram(does), memoryMiB: 16 });
    const infer = async () => action;
    const expected = { code: "simulator_died", message: expect.stringContaining(words) };
    for (const _again of [1, 2]) await expect(play(seat, infer)).rejects.toMatchObject(expected);
    expect(faults).toMatchObject([expected, expected]);
    await expect(play(seat, infer, { board: "manip" })).resolves.toMatchObject({ score: 1 });
  });

  it("replace a thread that died between two cases", async () => {
    const dies =
      "parentPort.postMessage({ type: 'result', result: { score: 0, steps: 0 } }); setTimeout(process.exit, 1, 4)";
    const { seat, faults } = open({ programText: makeProgram(dies) });
    await expect(play(seat, async () => action)).resolves.toMatchObject({ score: 0 });
    await waitFor(() => faults.length === 1, { what: "a fault" });
    await expect(play(seat, async () => action, { board: "manip" })).resolves.toMatchObject({ score: 1 });
  });

  it("end a thread that hangs as soon as the signal aborts", async () => {
    const { seat, faults } = open({
      programText: makeProgram(
        "parentPort.postMessage({ type: 'observation', bytes: new Uint8Array(1) }); for (;;);",
      ),
    });
    const lost = new AbortController();
    const hanging = play(seat, async () => action, { signal: lost.signal });
    const reason = new Error("lost");
    lost.abort(reason);
    await expect(hanging).rejects.toBe(reason);
    await expect(play(seat, async () => action, { board: "manip" })).resolves.toMatchObject({ score: 1 });
    expect(faults).toEqual([]);
  });

  it.each([
    ["a score of 7", "{ type: 'result', result: { score: 7, steps: 1 } }"],
    ["a word", "'hello'"],
  ])("take %s for a fault of the simulator", async (_, said) => {
    const { seat, faults } = open({ programText: makeProgram(`parentPort.postMessage(${said})`) });
    await expect(play(seat, async () => action)).rejects.toMatchObject({ code: "simulator_failed" });
    expect(faults).toMatchObject([{ code: "simulator_failed" }]);
    await expect(play(seat, async () => action, { board: "manip" })).resolves.toMatchObject({ score: 1 });
  });

  it("reject what is played when they close, and play no more", async () => {
    const { seat, close, faults } = open();
    const waiting = play(seat, () => new Promise(() => undefined));
    await close();
    await expect(waiting).rejects.toMatchObject({ code: "simulator_died" });
    await expect(play(seat, async () => action)).rejects.toMatchObject({ code: "simulator_died" });
    expect(faults).toEqual([]);
  });
});
