import { expect, test } from "vitest";
import { SortieError } from "../../src/base/error.ts";
import { keys, type PolicyStage, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator, type RawSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const kitchen = { key: keys["kitchen"] };
const look = Buffer.from("look");

/** An agent that numbers its actions; the test lets each one go. */
function makeAgent() {
  const waiting: (() => void)[] = [];
  let count = 0;
  const answer = async (observation: Uint8Array) => {
    count += 1;
    const action = Buffer.from(`${count} for ${Buffer.from(observation)}`);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return action;
  };
  const release = async () => (await waitFor(() => waiting.shift(), { intervalMs: 2 }))();
  return { answer, release };
}

const dial = (stage: PolicyStage) => dialSimulator(stage.makeUrl("corobot", "?case=1"), kitchen);

async function breakOff(stage: PolicyStage, simulator: RawSimulator) {
  const before = stage.events.filter(({ type }) => type === "simulator_gone").length;
  simulator.webSocket.terminate();
  await waitFor(() => stage.events.filter(({ type }) => type === "simulator_gone").length > before);
}

async function startCase(stage: PolicyStage) {
  const agent = makeAgent();
  const played = stage.addCase(agent.answer);
  const simulator = await dial(stage);
  simulator.send(look);
  await agent.release();
  expect((await simulator.nextFrame()).toString()).toBe("1 for look");
  return { agent, played, simulator };
}

/** A case whose simulator broke off while its agent had the second observation. */
async function leaveInQuestion(stage: PolicyStage) {
  const { agent, played, simulator } = await startCase(stage);
  simulator.send(Buffer.from("second"));
  await waitFor(() => played.asked.length === 2);
  await breakOff(stage, simulator);
  return { agent, played };
}

test("a simulator that breaks off and dials again goes on with the same session", async () => {
  const stage = await startPolicyStage();
  const { agent, played, simulator } = await startCase(stage);
  await breakOff(stage, simulator);
  const again = await dial(stage);
  again.send(Buffer.from("next"));
  await agent.release();
  expect((await again.nextFrame()).toString()).toBe("2 for next");
  expect(played.attempts).toBe(1);
  expect(stage.events.at(-1)).toMatchObject({ type: "simulator_connected", resumed: true });
  again.webSocket.close();
  await waitFor(() => again.webSocket.readyState === again.webSocket.CLOSED);
  stage.door.score(1, { score: 1 });
  expect(await played.waitForEnd()).toMatchObject({ result: { score: 1, steps: 2 } });
});

test("an openpi simulator hears of its case again when it comes back", async () => {
  const stage = await startPolicyStage();
  stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  const metadata = await simulator.nextFrame();
  await simulator.ask(look);
  await breakOff(stage, simulator);
  const again = await dialSimulator(stage.makeUrl("openpi", "?case=1"), kitchen);
  expect(await again.nextFrame()).toEqual(metadata);
});

test("an observation that is sent again asks the agent once, be its action under way or lost", async () => {
  const stage = await startPolicyStage();
  const { agent, played } = await leaveInQuestion(stage);
  const again = await dial(stage);
  again.send(Buffer.from("second"));
  await agent.release();
  expect((await again.nextFrame()).toString()).toBe("2 for second");
  expect(played.asked).toHaveLength(2);
});

test("an action that got lost on its way is given again", async () => {
  const stage = await startPolicyStage();
  const agent = makeAgent();
  const played = stage.addCase(agent.answer);
  const simulator = await dialSimulator(stage.makeUrl("corobot"), { ...kitchen, autoPong: false });
  simulator.send(look);
  await agent.release();
  await simulator.nextFrame();
  await breakOff(stage, simulator);
  const again = await dial(stage);
  expect((await again.ask(look)).toString()).toBe("1 for look");
  expect(played.asked).toHaveLength(1);
});

test("an action that came while the simulator was away waits for it", async () => {
  const stage = await startPolicyStage();
  const { agent } = await leaveInQuestion(stage);
  await agent.release();
  const again = await dial(stage);
  expect((await again.ask(Buffer.from("second"))).toString()).toBe("2 for second");
  // Now it has arrived: the same observation is a new question.
  await waitFor(() => again.webSocket.bufferedAmount === 0);
  again.send(Buffer.from("second"));
  await agent.release();
  expect((await again.nextFrame()).toString()).toBe("3 for second");
});

test("another observation than before is asked after the one that is under way", async () => {
  const stage = await startPolicyStage();
  const { agent } = await leaveInQuestion(stage);
  const again = await dial(stage);
  again.send(Buffer.from("third"));
  await agent.release();
  await agent.release();
  expect((await again.nextFrame()).toString()).toBe("3 for third");
  expect(again.frames).toHaveLength(1);
});

test("who is away still tells the score, though the agent is lost meanwhile", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage);
  await breakOff(stage, simulator);
  played.abort(new SortieError("session_lost", { session: "s", agent: "a", seconds: 30 }));
  expect(stage.door.score(1, { score: 0.5 })).toBe("taken");
  expect(await played.waitForEnd()).toMatchObject({ result: { score: 0.5 } });
});

test("who is away is waited for no longer when the job is stopped, or the gateway", async () => {
  const stage = await startPolicyStage();
  const first = await startCase(stage);
  await breakOff(stage, first.simulator);
  first.played.abort(new SortieError("session_ended", { session: "s", reason: "the job is drained" }));
  expect(await first.played.waitForEnd()).toMatchObject({ error: { code: "session_ended" } });
  expect((await (await dial(stage)).closed).code).toBe(409);
});

test("a simulator that sends no pong and no byte is taken for gone, and one that does is not", async () => {
  const stage = await startPolicyStage({ timers: { pingMs: 20, silenceMs: 200 } });
  const alive = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  const silent = await dialSimulator(stage.makeUrl("openpi"), { ...kitchen, autoPong: false });
  await waitFor(() => stage.seats.size === 2);
  expect((await silent.closed).code).toBe(1006);
  expect(stage.events.at(-1)).toMatchObject({ type: "simulator_gone", reason: "no byte for 0.2 s" });
  let pongs = 0;
  alive.webSocket.on("pong", () => {
    pongs += 1;
  });
  alive.webSocket.ping();
  await waitFor(() => pongs === 1);
  expect(stage.seats.size).toBe(1);
});
