import { expect, test } from "vitest";
import { agentTimers } from "./agent-options.ts";
import { chooseRedial, countLink, type RedialState, type Setback, startOfRedials } from "./redial-policy.ts";

const most = () => 0.999999;
const choose = (state: RedialState, setback: Setback, elapsedMs = 0, random = most) =>
  chooseRedial(state, setback, elapsedMs, agentTimers, random);

/** The pauses of dials that fail at once, until the end. */
function listPauses(state: RedialState, setback: Setback) {
  const pauses: number[] = [];
  let elapsedMs = 0;
  for (let dial = 0; dial < 1000; dial += 1) {
    const step = choose(state, setback, elapsedMs);
    if (step.kind !== "wait") return { pauses, end: step };
    pauses.push(Math.round(step.delayMs));
    elapsedMs = step.delayMs;
    state = step.state;
  }
  return { pauses, end: undefined };
}

test("pauses double up to a second where nobody is reached, and five where somebody refuses", () => {
  expect(listPauses(startOfRedials, "network").pauses.slice(0, 6)).toEqual([
    250, 500, 1000, 1000, 1000, 1000,
  ]);
  expect(listPauses(startOfRedials, "busy").pauses.slice(0, 7)).toEqual([
    250, 500, 1000, 2000, 4000, 5000, 5000,
  ]);
});

test("redials go on for 75 s and no longer", () => {
  for (const setback of ["network", "busy"] as const) {
    const { pauses, end } = listPauses(startOfRedials, setback);
    expect(end).toEqual({ kind: "give_up" });
    expect(pauses.reduce((sum, pause) => sum + pause)).toBe(75_000);
  }
});

test("a pair that had a link gets one fresh id, tried for 15 s", () => {
  const linked = countLink(startOfRedials, 1_000, agentTimers);
  const { end } = listPauses(linked, "network");
  expect(end).toMatchObject({ kind: "fresh_id" });
  const trial = listPauses((end as { state: RedialState }).state, "network");
  expect(trial.pauses.reduce((sum, pause) => sum + pause)).toBe(15_000);
  expect(trial.end).toEqual({ kind: "give_up" });
});

test("a fresh id that got a link has the whole budget, but no second fresh id until a link was stable", () => {
  const used = countLink({ ...startOfRedials, spentMs: 9_000, freshId: "trial" }, 1_000, agentTimers);
  const { pauses, end } = listPauses(used, "network");
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe(75_000);
  expect(end).toEqual({ kind: "give_up" });
  expect(listPauses(countLink(used, 60_000, agentTimers), "network").end).toMatchObject({ kind: "fresh_id" });
});

test("the budget is summed over cuts, and restored by a link that lasted", () => {
  const spent = { ...startOfRedials, spentMs: 74_900, hadLink: true };
  const short = countLink(spent, 59_999, agentTimers);
  expect(choose(short, "cut")).toMatchObject({ kind: "wait", delayMs: expect.closeTo(100) });
  expect(choose(short, "network", 200)).toMatchObject({ kind: "fresh_id" });
  expect(choose(countLink(spent, 60_000, agentTimers), "network", 200)).toMatchObject({ kind: "wait" });
});

test("over the cap the pause doubles up to a minute, for ever, and the budget stays", () => {
  const { pauses, end } = listPauses({ ...startOfRedials, spentMs: 70_000 }, "over_cap");
  expect(pauses.slice(0, 4)).toEqual([15_000, 30_000, 60_000, 60_000]);
  expect(end).toBeUndefined();
  const step = choose({ ...startOfRedials, spentMs: 70_000 }, "over_cap", 60_000);
  expect(step).toMatchObject({ state: { spentMs: 70_000 } });
});

test("agents that were cut together do not come back together", () => {
  const delays = [0, 0.5, 0.999].map((value) => choose(startOfRedials, "cut", 0, () => value));
  expect(delays.map((step) => Math.round((step as { delayMs: number }).delayMs))).toEqual([125, 188, 250]);
});
