import { randomBytes } from "node:crypto";
import { decode } from "@msgpack/msgpack";
import { expect, test } from "vitest";
import { keys, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const kitchen = { key: keys["kitchen"] };
const look = Buffer.from("look");

test("an openpi simulator hears of its case first, when case and agent are there", async () => {
  const stage = await startPolicyStage();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  await waitFor(() => stage.seats.size === 1);
  expect(simulator.frames).toEqual([]);
  const played = stage.addCase();
  expect(decode(await simulator.nextFrame())).toEqual({
    ...{
      case_id: 1,
      session_id: played.sessionId,
      board: "kitchen",
      payload: "g2",
      task: "pick",
      index: 0,
      seed: 41,
    },
  });
  expect(await simulator.ask(look)).toEqual(look);
});

test("a corobot simulator gets actions alone, also for an observation that came before its case", async () => {
  const stage = await startPolicyStage();
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  simulator.send(look);
  await waitFor(() => stage.seats.size === 1);
  stage.addCase((observation) => Buffer.concat([Buffer.from("seen "), observation]));
  expect((await simulator.nextFrame()).toString()).toBe("seen look");
  expect(simulator.frames).toHaveLength(1);
});

test("bytes pass as they are, both ways: none, odd ones, eight megabytes", async () => {
  const stage = await startPolicyStage();
  const actions = [Buffer.alloc(0), Buffer.from([0, 255, 128, 0xc1]), randomBytes(70_000)];
  const observations = [randomBytes(8_000_000), Buffer.from([0xff]), Buffer.alloc(0)];
  const left = [...actions];
  const played = stage.addCase(() => left.shift() ?? Buffer.from("none"));
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  for (const [index, observation] of observations.entries()) {
    const action = await simulator.ask(observation);
    expect(Buffer.compare(action, actions[index] as Buffer)).toBe(0);
    expect(Buffer.compare(played.asked[index] as Buffer, observation)).toBe(0);
  }
});

test("a simulator that closes after its score has played its case", async () => {
  const stage = await startPolicyStage();
  const played = stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  await simulator.ask(look);
  await simulator.ask(look);
  expect(stage.door.score(1, { score: 0.5, steps: 60, detail: "half" })).toBe("taken");
  expect(stage.door.score(1, { score: 0.5 })).toBe("same");
  expect(stage.door.score(1, { score: 0.7 })).toBe("kept");
  expect(played.outcome).toBeUndefined();
  simulator.webSocket.close(1000);
  expect(await played.waitForEnd()).toEqual({ result: { score: 0.5, steps: 60, detail: "half" } });
  expect(played.asked).toHaveLength(2);
  expect(stage.door.score(1, { score: 1 })).toBe("over");
});

test("a score that comes after the connection ended, however it did, ends the case at once", async () => {
  const stage = await startPolicyStage();
  const played = stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  await simulator.nextFrame();
  await simulator.ask(look);
  simulator.webSocket.terminate();
  await waitFor(() => stage.events.some(({ type }) => type === "simulator_gone"));
  expect(played.outcome).toBeUndefined();
  expect(stage.door.score(1, { score: 0.25 })).toBe("taken");
  expect(await played.waitForEnd()).toEqual({ result: { score: 0.25, steps: 1, detail: undefined } });
});

test("a case whose score nobody tells is unscored, which is not 0", async () => {
  const stage = await startPolicyStage({ scoreWaitMs: 50 });
  const played = stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  await simulator.ask(look);
  simulator.webSocket.close();
  expect(await played.waitForEnd()).toEqual({
    result: {
      ...{ score: null, steps: 1 },
      detail: "unscored: no score came within 0.05 s after the simulator left",
    },
  });
});

test("a simulator that told its score and keeps its connection is let go", async () => {
  const stage = await startPolicyStage({ scoreWaitMs: 50 });
  const played = stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  await simulator.nextFrame();
  await simulator.ask(look);
  stage.door.score(1, { score: 1 });
  expect(await played.waitForEnd()).toMatchObject({ result: { score: 1 } });
  expect(await simulator.closed).toEqual({ code: 1000, reason: "the case is over" });
  expect(simulator.texts).toEqual([]);
});

test("a simulator that leaves before its first action fails the attempt", async () => {
  const stage = await startPolicyStage();
  const never = stage.addCase(() => new Promise(() => undefined));
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  simulator.send(look);
  await waitFor(() => never.asked.length === 1);
  simulator.webSocket.close();
  const end = await never.waitForEnd();
  expect(end).toMatchObject({ error: { code: "simulator_left" } });
});

test("a seat is withdrawn when its simulator goes before a case came", async () => {
  const stage = await startPolicyStage();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  await waitFor(() => stage.seats.size === 1);
  simulator.webSocket.close();
  await waitFor(() => stage.seats.size === 0);
  expect(stage.door.score(9, { score: 1 })).toBe("over");
  stage.addCase();
  expect(stage.door.score(1, { score: 1 })).toBe("too_early");
});
