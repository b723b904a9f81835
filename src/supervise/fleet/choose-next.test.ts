import { expect, it } from "vitest";
import type { RunState } from "../../runs/states.ts";
import { chooseNext, type SeatSeen } from "./choose-next.ts";
import type { FleetRunner, FleetState } from "./fleet.ts";

const handler: FleetRunner = { kind: "handler", handler: "policy:handle", python: null };
const script: FleetRunner = { kind: "script", path: "/x/tunnel.sh" };
const NOW = 1_000_000;

interface Life extends Partial<SeatSeen> {
  readonly is: "waits" | "loads" | "up" | "ended" | "drained" | "failed" | "killed" | "taken";
  readonly agoS?: number;
}

/** Seats as a story tells them. */
function seat({ is, agoS = 10, ...more }: Life, place: number): SeatSeen {
  const states: Record<Life["is"], RunState> = {
    ...{ waits: "waiting", loads: "running", up: "running", ended: "succeeded", drained: "running" },
    ...{ failed: "failed", killed: "waiting", taken: "preparing" },
  };
  return {
    number: place + 1,
    runState: states[is],
    hasStarted: is !== "waits" && is !== "taken",
    wasReady: ["up", "ended", "drained"].includes(is),
    isDrained: is === "ended" || is === "drained",
    startedAtMs: is === "waits" ? null : NOW - agoS * 1000,
    isRestart: is === "killed",
    notBeforeMs: null,
    ...more,
  };
}

const choose = (
  lives: readonly (Life["is"] | Life)[],
  {
    runner = handler as FleetRunner,
    staggerS = null as number | null,
    state = "starting" as FleetState,
  } = {},
) => {
  const seats = lives.map((life, place) => seat(typeof life === "string" ? { is: life } : life, place));
  const step = chooseNext({ runner, staggerS, state }, seats, NOW);
  return step.do === "start"
    ? `start ${step.numbers.join()}`
    : "why" in step
      ? `${step.do} ${step.why}`
      : step.do;
};

it.each([
  ["the first alone", ["waits", "waits", "waits"], {}, "start 1,2,3"],
  ["nothing while one is being started", ["taken", "waits"], {}, "wait null"],
  ["nothing while the first loads", ["loads", "waits"], {}, "wait until agent 1 is ready"],
  ["not even after the stagger", ["loads", "waits"], { staggerS: 5 }, "wait until agent 1 is ready"],
  ["the next when it is up", ["up", "waits", "waits"], {}, "start 2,3"],
  ["nothing while the next loads", ["up", "loads", "waits"], {}, "wait until agent 2 is ready"],
  ["another after the stagger", ["up", "loads", "waits"], { staggerS: 5 }, "start 3"],
  [
    "none before it",
    ["up", { is: "loads", agoS: 4 }, "waits"],
    { staggerS: 5 },
    "wait until agent 2 is ready, or 5 s after its start",
  ],
  ["a script's after the stagger", ["loads", "waits"], { staggerS: 5, runner: script }, "start 2"],
  ["none of a script without a word", ["loads", "waits"], { runner: script }, "wait until agent 1 is ready"],
  ["the rest though a later one failed", ["up", "failed", "waits"], {}, "start 3"],
  ["no more", ["failed", "waits"], {}, "dismiss the first agent ended before it was ready"],
  ["more, as it was up once", [{ is: "failed", wasReady: true }, "waits"], {}, "start 2"],
  ["what was killed first", ["up", "waits", "killed"], {}, "start 3,2"],
  [
    "nothing before it",
    ["up", "waits", { is: "killed", notBeforeMs: NOW + 1 }],
    {},
    "wait agent 3 is started again first",
  ],
  ["nothing while another loads", ["up", "loads", "killed"], {}, "wait until agent 2 is ready"],
  ["the first again", ["killed", "waits"], {}, "start 1,2"],
  ["none whose rest is not over", ["up", { is: "waits", notBeforeMs: NOW + 1 }, "waits"], {}, "start 3"],
  ["nothing after a drain", ["drained", "waits", "killed"], {}, "dismiss the job is being drained"],
  ["nothing after a drained end", ["ended", "up", "killed"], {}, "dismiss the job is being drained"],
  [
    "nothing in a fleet that ends",
    ["up", "waits"],
    { state: "draining" as const },
    "dismiss the fleet is ending",
  ],
  ["nothing, all were started", ["up", "drained"], {}, "wait null"],
  ["over", ["ended", "failed"], {}, "over"],
] as const)("starts %s", (_, lives, fleet, expected) => {
  expect(choose(lives, fleet)).toBe(expected);
});
