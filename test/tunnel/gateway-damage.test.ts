import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { encodeFrame } from "../../src/wire/frame.ts";
import { damageSeed, makeDamagedFrames } from "../support/damage-frames.ts";
import { openSession, type Stage, startStage } from "../support/gateway-stage.ts";
import { dialRaw } from "../support/raw-agent.ts";

const FRAMES = 500;

/** The next so many damaged frames. */
function take(samples: readonly Uint8Array[], count: number): Uint8Array[] {
  const frames = makeDamagedFrames(samples, damageSeed);
  return Array.from({ length: count }, () => frames.next().value as Uint8Array);
}

/** That the agent whose session is open was not disturbed. */
async function expectLive(
  stage: Stage,
  { agent, action, sessionId }: Awaited<ReturnType<typeof openSession>>,
) {
  agent.reply(sessionId, "move");
  expect(Buffer.from(await action).toString()).toBe("move");
  expect(stage.find("link_closed").filter(({ agentId }) => agentId === agent.agentId)).toEqual([]);
}

const patient = { timers: { readDeadlineMs: 30_000, windowMs: 30_000 } };

it(`T04 damaged frames end their own link at most (seed ${damageSeed})`, async () => {
  const stage = await startStage(patient);
  const session = await openSession(stage, { parallelism: 1_000 });
  const samples = ["a", session.sessionId].map((sid) => encodeFrame(Buffer.from(sid), Buffer.from("move")));
  let agent = await dialRaw(stage, session.job);
  for (const frame of take(samples, FRAMES)) {
    if (agent.webSocket.readyState !== agent.webSocket.OPEN) agent = await dialRaw(stage, session.job);
    agent.webSocket.send(frame);
    agent.webSocket.ping();
    await Promise.race([agent.closed, once(agent.webSocket, "pong")]);
  }
  agent.webSocket.close();
  await agent.closed;
  expect(stage.find("malformed_frame").length).toBeGreaterThan(10);
  expect(stage.find("reply")).toEqual([]);
  await expectLive(stage, session);
});

it(`T04 bytes that are no WebSocket end their own socket at most (seed ${damageSeed})`, async () => {
  const stage = await startStage(patient);
  const session = await openSession(stage, { parallelism: 1_000 });
  const { job } = session;
  const { port, pathname } = new URL(stage.tunnelUrl);
  const request = [
    `GET ${pathname}?job=${job.uuid}&agent=AGENT HTTP/1.1`,
    "Host: gateway",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Authorization: Bearer ${job.token}`,
    "\r\n",
  ].join("\r\n");
  const message = Buffer.from([0x82, 0x89, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 1, 2, 3, 4]);
  for (const [index, bytes] of take([message], FRAMES / 5).entries()) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    socket.resume().write(request.replace("AGENT", `raw-${index}`));
    socket.end(bytes);
    await once(socket, "close");
  }
  for (const bytes of take([Buffer.from(request)], FRAMES / 5)) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    socket.resume().end(bytes);
    await once(socket, "close");
  }
  await expectLive(stage, session);
});
