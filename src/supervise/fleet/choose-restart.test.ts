import { expect, it } from "vitest";
import type { Seat } from "../../runs/seat.ts";
import { chooseRestart } from "./choose-restart.ts";
import { chooseAgentId } from "./tend-fleets.ts";

const NOW = Date.parse("2026-11-30T10:00:05.000Z");
const seat: Seat = {
  ...{ fleet: "f1", number: 1, runner: "handler", agentId: "own", gpu: null },
  ...{ restarts: 0, attemptEndedAt: null, notBefore: null },
};
const killed = {
  state: "failed",
  endReason: "signal",
  exitCode: 137,
  endedAt: "2026-11-30T10:00:04Z",
  stop: null,
  memory: { kernelLog: "", oomKills: 0 },
} as const;
const choose = (verdict: object = {}, own: Partial<Seat> = {}, evidence: string | null = null) =>
  chooseRestart({ seat: { ...seat, ...own }, endReason: null, evidence }, { ...killed, ...verdict }, NOW);

it("starts an agent again that was killed, later each time, and the fifth time is the last", () => {
  const delays = [0, 1, 2, 3, 4].map(
    (restarts) => Date.parse(choose({}, { restarts })?.seat.notBefore ?? "") - NOW,
  );
  expect(delays).toEqual([3000, 6000, 12_000, 24_000, 48_000]);
  expect(choose({}, { restarts: 5 })).toBeNull();
  expect(choose()?.seat).toMatchObject({ restarts: 1, agentId: "own", attemptEndedAt: killed.endedAt });
  expect(choose()?.waitingFor).toBe("its next start, 3 s after it was killed by signal 9");
});

it("speaks of memory only where the end was found to be that", () => {
  const oom = chooseRestart({ seat, endReason: "oom", evidence: "Killed process 7" }, killed, NOW);
  expect(oom?.waitingFor).toBe(
    "its next start, 3 s after it was killed by signal 9, for want of memory (Killed process 7)",
  );
});

it.each([
  ["exited", { endReason: "exited", exitCode: 1 }],
  ["was drained", { state: "succeeded", endReason: "exited", exitCode: 0 }],
  ["was stopped", { state: "stopped", endReason: "stopped", stop: { by: "ann", at: "" } }],
  ["is lost", { state: "lost", endReason: "supervisor_killed", exitCode: null }],
  ["could not be started", { endReason: "launch_failed", exitCode: null }],
])("leaves alone an agent that %s", (_, verdict) => {
  expect(choose(verdict)).toBeNull();
});

it("leaves alone a run without a seat", () => {
  expect(chooseRestart({ seat: null, endReason: null, evidence: null }, killed, NOW)).toBeNull();
});

it("starts an agent again whose handler was killed", () => {
  const words = "The handler ended in handle: signal SIGKILL ended it (somebody killed it, or …).";
  const ownEnd = { ...killed, endReason: "exited", exitCode: 1 } as const;
  const choose = (verdict: object, said: string) =>
    chooseRestart({ seat, endReason: "exited", evidence: null }, { ...ownEnd, ...verdict }, NOW, said)
      ?.waitingFor ?? null;
  expect(choose({}, words)).toBe("its next start, 3 s after its handler was killed by signal 9");
  expect(choose({ memory: { kernelLog: "", oomKills: 1 } }, words)).toMatch(/for want of memory/);
  expect(choose({}, "The handler ended in handle: it exited with code 3.")).toBeNull();
  expect(choose({ exitCode: 0, state: "succeeded" }, words)).toBeNull();
});

it("starts an agent again that had a tunnel, and whose gateway was away for longer than it dials", () => {
  const spent = "The tunnel to 127.0.0.1:1 broke and did not come back within 75 s: nobody listens there.";
  const never = "No tunnel to 127.0.0.1:1 within 75 s: nobody listens there.";
  const choose = (said: string, restarts: number) =>
    chooseRestart(
      { seat: { ...seat, restarts }, endReason: "exited", evidence: null },
      { ...killed, endReason: "exited", exitCode: 1 },
      NOW,
      said,
    )?.waitingFor ?? null;
  expect(choose(spent, 0)).toBe("its next start, 3 s after its gateway was away for too long");
  expect([choose(never, 0), choose(never, 1), choose(spent, 5)]).toEqual([
    null,
    "its next start, 6 s after its gateway was away for too long",
    null,
  ]);
});

it("keeps the agent id inside the window, and takes a fresh one after it", () => {
  const ended = { ...seat, attemptEndedAt: killed.endedAt };
  const chooseAfter = (ms: number) =>
    chooseAgentId(ended, Date.parse(killed.endedAt) + ms, () => "fresh").agentId;
  expect([3000, 24_999, 25_000, 60_000].map(chooseAfter)).toEqual(["own", "own", "fresh", "fresh"]);
  expect(chooseAgentId(seat, NOW, () => "fresh").agentId).toBe("own");
});
