import { expect, test } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { keys, type PolicyStage, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const look = Buffer.from("look");

/** A stage whose time goes on only when the test says so, though it looks after its simulators all the while. */
async function startStage() {
  const time = { ms: 0 };
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => time.ms,
    sleep: (_, signal) => systemClock.sleep(2, signal),
  };
  return { time, stage: await startPolicyStage({ clock }) };
}

const dial = (stage: PolicyStage, board = "kitchen") =>
  dialSimulator(stage.makeUrl("corobot"), { key: keys[board] });

/** Dials, gets its case, and is gone before its first action. */
async function crash(stage: PolicyStage) {
  const played = stage.addCase();
  (await dial(stage)).webSocket.terminate();
  expect(await played.waitForEnd()).toMatchObject({ error: { code: "simulator_left" } });
}

/** Time for looks that would give out a case. */
const letLook = () => systemClock.sleep(50);

test("after three crashes in a row the seats of a board come one at a time, after 1 s, 2 s … 30 s", async () => {
  const { time, stage } = await startStage();
  for (let count = 0; count < 3; count += 1) await crash(stage);
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const played = stage.addCase();
    const [first, second] = [await dial(stage), await dial(stage)];
    time.ms += pauseMs - 1;
    await letLook();
    expect([pauseMs, played.attempts, stage.seats.size]).toEqual([pauseMs, 0, 0]);
    time.ms += 1;
    await waitFor(() => played.attempts === 1);
    const more = stage.addCase();
    await letLook();
    expect(more.attempts).toBe(0);
    second.webSocket.terminate();
    first.webSocket.terminate();
    await played.waitForEnd();

    Object.assign(more, { state: "over" });
  }
});

test("what waited for a case when the board began to pause waits on, and an action lets everybody in", async () => {
  const { time, stage } = await startStage();
  const waiting = [
    await dial(stage),
    await dial(stage),
    await dial(stage),
    await dial(stage),
    await dial(stage),
  ];
  await waitFor(() => stage.seats.size === 5);
  for (const simulator of waiting.slice(0, 3)) {
    const played = stage.addCase();
    simulator.webSocket.terminate();
    await played.waitForEnd();
  }
  await waitFor(() => stage.seats.size === 0);
  const [one, other] = [stage.addCase(), stage.addCase()];
  await letLook();
  expect([one.attempts, other.attempts]).toEqual([0, 0]);
  time.ms += 1_000;
  await waitFor(() => one.attempts === 1);
  expect(other.attempts).toBe(0);
  expect(await waiting[3]?.ask(look)).toEqual(look);
  await waitFor(() => other.attempts === 1);
  expect(await waiting[4]?.ask(look)).toEqual(look);
});

test("another board is served as ever", async () => {
  const { stage } = await startStage();
  for (let count = 0; count < 3; count += 1) await crash(stage);
  const played = stage.addCase(undefined, { board: "garage" });
  expect(await (await dial(stage, "garage")).ask(look)).toEqual(look);
  expect(played.attempts).toBe(1);
});

test("an action between crashes makes them no row", async () => {
  const { stage } = await startStage();
  await crash(stage);
  await crash(stage);
  const played = stage.addCase();
  const simulator = await dial(stage);
  await simulator.ask(look);
  stage.door.score(played.spec.id ?? 0, { score: 1 });
  simulator.webSocket.close();
  await played.waitForEnd();
  await crash(stage);
  await crash(stage);
  stage.addCase();
  expect(await (await dial(stage)).ask(look)).toEqual(look);
});
