import { afterEach, expect, it, vi } from "vitest";
import type { Io } from "./io.ts";
import { listenForSignals } from "./listen-for-signals.ts";
import type { FleetShown } from "./views/format-fleet.ts";
import { type WatchedFleet, watchFleet } from "./watch-fleet.ts";

const asked = vi.hoisted(() => ({ answers: [] as (string | null | "wait")[], questions: [] as string[] }));
vi.mock("./ask.ts", () => ({
  askForOne: async (message: string, _choices: unknown, { signal }: { signal: AbortSignal }) => {
    asked.questions.push(message);
    const answer = asked.answers.shift() ?? null;
    if (answer !== "wait") return answer;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    return null;
  },
}));
afterEach(() => {
  asked.answers = [];
  asked.questions = [];
});

/** As the system does. */
const send = (name: NodeJS.Signals) => process.emit(name, name);

const makeIo = (more: Partial<Io> = {}) => {
  const written: string[] = [];
  const io: Io = {
    ...{ json: false, isTerminal: true, columns: 80, rows: 24, env: { TERM: "xterm" }, cwd: "/", self: [] },
    ...{ readerGone: new AbortController().signal, warn: () => undefined, printDocument: () => undefined },
    say: (line = "") => void written.push(`${line}\n`),
    write: (text) => void written.push(String(text)),
    ...more,
  };
  return { io, text: () => written.join("") };
};

const watch = async (io: Io, fleet: WatchedFleet) => {
  const signals = listenForSignals();
  return watchFleet(io, fleet, signals).finally(signals.end);
};

const makeShown = (inFlight: number, state = "running"): FleetShown => ({
  ...{ name: "f-1", state, cause: null },
  agents: [
    { number: 1, run: "agent-1", gpu: "0", state: "running", sessions: 1, inFlight, frames: 9, p50Ms: 4 },
  ].map((agent) => ({ ...agent, lastNewsAt: null, note: null })),
});

/** At look N what `steps[N]` sends comes while it sleeps; a number says how many cases are in flight then. */
const makeFleet = (inFlight: number, steps: readonly (NodeJS.Signals | "ended" | null)[]) => {
  let looks = 0;
  return {
    looks: () => looks,
    look: async () => {
      const step = steps[looks++];
      return makeShown(inFlight, step === "ended" || step === undefined ? "ended" : "running");
    },
    now: () => new Date("2026-11-29T12:00:00Z"),
    sleep: async () => {
      const step = steps[looks - 1];
      if (step?.startsWith("SIG")) send(step as NodeJS.Signals);
    },
  };
};

it("watches until the fleet has ended, and leaves its last table there", async () => {
  const { io, text } = makeIo();
  expect(await watch(io, makeFleet(1, [null, null, "ended"]))).toBe("ended");
  expect(text().split("AGENT").length).toBe(4);
  expect(text()).toMatch(/f-1 has ended: 1 session, 9 frames\.\n(AGENT|1 ).*\n1 .*\n$/);
  expect(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM")).toBe(0);
  expect(process.stdout.listenerCount("resize")).toBe(0);
});

it("Ctrl-C ends it without a question where no case is in flight", async () => {
  expect(await watch(makeIo().io, makeFleet(0, ["SIGINT"]))).toBe("SIGINT");
  expect(asked.questions).toEqual([]);
});

it("Ctrl-C asks while a case is in flight: go on, leave, end, and a Ctrl-C at the question ends", async () => {
  asked.answers = ["go_on", "leave"];
  expect(await watch(makeIo().io, makeFleet(1, ["SIGINT", null, "SIGTERM"]))).toBe("SIGTERM");
  expect(asked.questions).toEqual(["1 case is in flight and would be lost. What now?"]);
  expect(await watch(makeIo().io, makeFleet(1, ["SIGINT"]))).toBe("left");
  asked.answers = ["end"];
  expect(await watch(makeIo().io, makeFleet(1, ["SIGINT"]))).toBe("SIGINT");
  asked.answers = [null];
  expect(await watch(makeIo().io, makeFleet(1, ["SIGINT"]))).toBe("SIGINT");
});

it("TERM never asks, and takes an open question back", async () => {
  expect(await watch(makeIo().io, makeFleet(3, ["SIGTERM"]))).toBe("SIGTERM");
  expect(asked.questions).toEqual([]);
  asked.answers = ["wait"];
  const watching = watch(makeIo().io, makeFleet(3, ["SIGINT"]));
  await vi.waitFor(() => expect(asked.questions).toHaveLength(1));
  send("SIGTERM");
  expect(await watching).toBe("SIGTERM");
});

it("asks nobody where no terminal is, tells lines there, and leaves the fleet when no one reads them", async () => {
  const { io, text } = makeIo({ isTerminal: false });
  expect(await watch(io, makeFleet(2, ["SIGINT"]))).toBe("SIGINT");
  expect(asked.questions).toEqual([]);
  expect(text()).toBe(
    "2026-11-29T12:00:00Z agent 1 on GPU 0: running\n" +
      "2026-11-29T12:00:00Z f-1 is running: 1 of 1 agent up, 1 session, 9 frames.\n",
  );
  const { io: unread } = makeIo({ isTerminal: false, readerGone: AbortSignal.abort() });
  expect(await watch(unread, makeFleet(2, [null]))).toBe("left");
});

it("a terminal that cannot move its cursor gets lines", async () => {
  const { io, text } = makeIo({ env: { TERM: "dumb" } });
  await watch(io, makeFleet(0, [null, "ended"]));
  expect(text()).not.toContain("\u001b");
});
