import { connect } from "node:net";
import { expect, test } from "vitest";
import { SortieError } from "../../src/base/error.ts";
import { keys, type PolicyStage, startPolicyStage } from "../support/policy-stage.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const kitchen = { key: keys["kitchen"] };
const look = Buffer.from("look");

/** A corobot simulator in mid-case, with one action. */
async function startCase(stage: PolicyStage, answer?: Parameters<PolicyStage["addCase"]>[0]) {
  const played = stage.addCase(answer);
  const simulator = await dialSimulator(stage.makeUrl("corobot"), kitchen);
  await simulator.ask(look);
  return { played, simulator };
}

/** Answers once, then never. */
function answerOnce() {
  let asked = 0;
  return (observation: Uint8Array) =>
    asked++ === 0 ? observation : new Promise<Uint8Array>(() => undefined);
}

test("a text frame ends the attempt, whatever was played before", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage);
  simulator.send('{"reset":true}');
  expect(await simulator.closed).toEqual({
    code: 1003,
    reason: "a text frame: observations are binary frames",
  });
  const error = {
    code: "simulator_fault",
    message: expect.stringContaining("case 1 broke the protocol: a text"),
  };
  expect(await played.waitForEnd()).toMatchObject({ error });
});

test("an observation before the last one was answered ends the attempt", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage, answerOnce());
  simulator.send(look);
  simulator.send(look);
  expect((await simulator.closed).code).toBe(1002);
  expect(await played.waitForEnd()).toMatchObject({ error: { code: "simulator_fault" } });
  expect(played.asked).toHaveLength(2);
});

test("before its case a simulator may send one observation, and no second one and no text", async () => {
  const stage = await startPolicyStage();
  for (const [second, code] of [
    [look, 1002],
    ["text", 1003],
  ] as const) {
    const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
    simulator.send(look);
    await waitFor(() => stage.seats.size === 1);
    simulator.send(second);
    expect((await simulator.closed).code).toBe(code);
    await waitFor(() => stage.seats.size === 0);
  }
});

test("an observation beyond 64 MiB is refused by its size", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage);
  simulator.send(Buffer.alloc(64 * 1024 * 1024 + 1));
  expect((await simulator.closed).code).toBe(1009);
  const message = expect.stringContaining("67108865 bytes");
  expect(await played.waitForEnd()).toMatchObject({ error: { code: "simulator_fault", message } });
});

test("an observation that only the tunnel finds too big is refused so as well", async () => {
  const stage = await startPolicyStage();
  let asked = 0;
  const tooBig = new SortieError("observation_too_big", { bytes: 5, size: "5 B", most: 4 });
  const { played, simulator } = await startCase(stage, (observation) => {
    if (asked++ > 0) throw tooBig;
    return observation;
  });
  simulator.send(look);
  expect((await simulator.closed).code).toBe(1009);
  expect(await played.waitForEnd()).toEqual({ error: tooBig });
});

test("bytes that are no WebSocket frames end the attempt", async () => {
  const stage = await startPolicyStage();
  const played = stage.addCase();
  const socket = connect(stage.port, "127.0.0.1");
  const answer: Buffer[] = [];
  socket.on("data", (data) => answer.push(data));
  socket.on("error", () => undefined); // a reset ends it as well
  const lines = [
    ...["GET /api/simulator/policy/corobot HTTP/1.1", "Host: gateway", "Connection: Upgrade"],
    ...["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="],
    `Authorization: Api-Key ${kitchen.key}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await waitFor(() => Buffer.concat(answer).includes("101 Switching"));
  // A frame without a mask, which no client may send.
  socket.write(Buffer.from([0x82, 0x01, 0x00]));
  expect(await played.waitForEnd()).toMatchObject({ error: { code: "simulator_fault" } });
  socket.destroy();
});

test("an upgrade that is none is refused, and one that breaks off harms nobody", async () => {
  const stage = await startPolicyStage();
  for (const line of ["Sec-WebSocket-Version: 12", "Sec-WebSocket-Key: short"]) {
    const socket = connect(stage.port, "127.0.0.1");
    const answer: Buffer[] = [];
    socket.on("data", (data) => answer.push(data));
    const lines = ["GET /api/simulator/policy/openpi HTTP/1.1", "Host: gateway", "Connection: Upgrade"];
    lines.push("Upgrade: websocket", line, `Authorization: Api-Key ${kitchen.key}`);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    await waitFor(() => Buffer.concat(answer).includes("HTTP/1.1 400"));
    socket.destroy();
  }
  const broken = connect(stage.port, "127.0.0.1", () => {
    broken.write(
      "GET /api/simulator/policy/openpi HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    broken.resetAndDestroy();
  });
  await waitFor(() => broken.destroyed);
  expect(stage.seats.size).toBe(0);
  const { simulator } = await startCase(stage);
  expect(await simulator.ask(look)).toEqual(look);
});

test("a loss of the agent is told: openpi by a sentence and 1011, corobot by 1011 alone", async () => {
  const stage = await startPolicyStage();
  const lost = new SortieError("session_lost", { session: "s", agent: "a", seconds: 30 });
  for (const dialect of ["openpi", "corobot"] as const) {
    const played = stage.addCase(() => Promise.reject(lost));
    const simulator = await dialSimulator(stage.makeUrl(dialect), kitchen);
    if (dialect === "openpi") await simulator.nextFrame();
    simulator.send(look);
    const { code, reason } = await simulator.closed;
    expect([code, lost.message.startsWith(reason)]).toEqual([1011, true]);
    expect(simulator.texts).toEqual(dialect === "openpi" ? [lost.message] : []);
    expect(await played.waitForEnd()).toEqual({ error: lost });
  }
});

test("a simulator that hangs is ended by the gateway, with the reason", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage, answerOnce());
  const tooLong = new SortieError("session_ended", { session: "s", reason: "the case took too long" });
  played.abort(tooLong);
  expect(await simulator.closed).toEqual({ code: 1011, reason: tooLong.message });
  expect(await played.waitForEnd()).toEqual({ error: tooLong });
});

test("an abort without a reason still ends in a sentence", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage);
  played.abort();
  expect((await simulator.closed).reason).toBe("Session session-1 has ended: the case was broken off.");
  expect(await played.waitForEnd()).toMatchObject({ error: { code: "session_ended" } });
});

test("a score that is there counts, though the agent is lost afterwards", async () => {
  const stage = await startPolicyStage();
  const { played, simulator } = await startCase(stage);
  stage.door.score(1, { score: 1 });
  played.abort(new SortieError("session_lost", { session: "s", agent: "a", seconds: 30 }));
  expect(await played.waitForEnd()).toMatchObject({ result: { score: 1 } });
  expect((await simulator.closed).code).toBe(1000);
});

test("a gateway that stops says so to who plays, and ends the attempt", async () => {
  const stage = await startPolicyStage();
  const played = stage.addCase();
  const simulator = await dialSimulator(stage.makeUrl("openpi"), kitchen);
  await simulator.nextFrame();
  await simulator.ask(look);
  await stage.door.close();
  expect((await simulator.closed).code).toBe(1001);
  expect(simulator.texts).toEqual(["Session session-1 has ended: the gateway is stopping."]);
  expect(await played.waitForEnd()).toMatchObject({ error: { code: "session_ended" } });
});
