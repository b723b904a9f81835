import { expect, test } from "vitest";
import { agentTimers } from "./agent-options.ts";
import {
  chooseRedial,
  countLink,
  type LinkCount,
  type RedialState,
  type Setback,
  startOfRedials,
} from "./redial-policy.ts";

const most = () => 0.999999;
const choose = (state: RedialState, setback: Setback, elapsedMs = 0, random = most) =>
  chooseRedial(state, setback, elapsedMs, agentTimers, random);

const count = (state: RedialState, link: Partial<LinkCount> = {}) =>
  countLink(state, { isUp: true, hasServed: true, downMs: 0, lastedMs: 1_000, ...link }, agentTimers);

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
  const linked = count(startOfRedials);
  const { end } = listPauses(linked, "network");
  expect(end).toMatchObject({ kind: "fresh_id" });
  const trial = listPauses((end as { state: RedialState }).state, "network");
  expect(trial.pauses.reduce((sum, pause) => sum + pause)).toBe(15_000);
  expect(trial.end).toEqual({ kind: "give_up" });
});

test("a fresh id that got a link has the whole budget, but no second fresh id until a link was stable", () => {
  const used = count({ ...startOfRedials, spentMs: 9_000, freshId: "trial" });
  const { pauses, end } = listPauses(used, "network");
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe(75_000);
  expect(end).toEqual({ kind: "give_up" });
  expect(listPauses(count(used, { lastedMs: 60_000 }), "network").end).toMatchObject({ kind: "fresh_id" });
});

test("links that served for some seconds give each cut a budget of its own, ones that carry nothing do not", () => {
  const play = (hasServed: boolean) => {
    let state = count(startOfRedials);
    for (let cuts = 1; cuts <= 100; cuts += 1) {
      // 45 s down, as a half-open link is, then 50 s up.
      const step = choose(state, "busy", 45_000);
      if (step.kind !== "wait") return { cuts, step };
      state = count(step.state, { hasServed, lastedMs: 50_000 });
    }
    return undefined;
  };
  expect(play(true)).toBeUndefined();
  expect(play(false)).toMatchObject({ cuts: 2, step: { kind: "fresh_id", state: { isSummed: true } } });
  expect(choose(count(startOfRedials), "busy", 76_000)).toMatchObject({ state: { isSummed: false } });
});

test("the budget is summed over cuts, and restored by a link that lasted", () => {
  const spent = { ...startOfRedials, spentMs: 74_000, hadLink: true };
  const short = count(spent, { downMs: 1_000, lastedMs: 1_000 });
  expect(choose(short, "cut")).toMatchObject({ kind: "wait", delayMs: expect.closeTo(100) });
  expect(choose(short, "network", 200)).toMatchObject({ kind: "fresh_id" });
  const stable = count(spent, { downMs: 1_000, lastedMs: 60_000 });
  expect(choose(stable, "network", 200)).toMatchObject({ kind: "wait" });
});

test("hundreds of cuts of links that served do not spend it, but links that hardly stand do in the end", () => {
  const play = (lastedMs: number) => {
    let state = startOfRedials;
    for (let cuts = 1; cuts <= 2_000; cuts += 1) {
      const step = choose(count(state, { downMs: 250, lastedMs }), "cut");
      if (step.kind !== "wait") return cuts;
      expect(step.delayMs).toBeLessThanOrEqual(250);
      state = step.state;
    }
    return undefined;
  };
  expect(play(3_000)).toBeUndefined();
  expect(play(10)).toBeGreaterThan(250);
  expect(play(10)).toBeLessThan(350);
});

test("a link that never was up is a dial that failed late: the pauses grow, and the time goes from the budget", () => {
  let state = startOfRedials;
  let sumMs = 0;
  const pauses: number[] = [];
  for (let elapsedMs = 0; ; ) {
    const step = choose(count(state, { isUp: false, lastedMs: 100 }), "busy", elapsedMs);
    if (step.kind !== "wait") break;
    pauses.push(Math.round(step.delayMs));
    elapsedMs = step.delayMs + 100;
    sumMs += elapsedMs;
    state = step.state;
  }
  expect(pauses.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 5000]);
  expect(pauses.length).toBeLessThan(22);
  expect(sumMs).toBeLessThanOrEqual(75_200);
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
