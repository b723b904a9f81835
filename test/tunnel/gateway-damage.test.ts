import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { decodeFrame } from "../../src/wire/frame.ts";
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../support/damage-frames.ts";
import { makeDamagedTraffic } from "../support/damaged-traffic.ts";
import { openSession, type Stage, startStage } from "../support/gateway-stage.ts";
import { dialRaw } from "../support/raw-agent.ts";

/** Frames between two waits for the other side, so that no buffer grows. */
const BATCH = 250;
/** Of the frames over which the gateway ends the link, one in so many is sent: each costs a dial. */
const MALFORMED_IN = 10;
/** Each costs a connection. */
const SOCKETS = Math.ceil(damagedFrameCount / 100);
const TIMEOUT_MS = 60_000 + damagedFrameCount;

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

it(`T04 ${damagedFrameCount} damaged frames end their own link at most (seed ${damageSeed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const stage = await startStage();
  const session = await openSession(stage);
  const { random, nextFrame, nextText } = makeDamagedTraffic(damageSeed);
  let { webSocket } = await dialRaw(stage, session.job);
  for (let sent = 0; sent < damagedFrameCount; ) {
    const frame = nextFrame();
    const isMalformed = decodeFrame(frame).fault !== undefined;
    if (random() < 0.4) webSocket.send(nextText());
    else if (!isMalformed) webSocket.send(frame);
    else if (random() > 1 / MALFORMED_IN) continue;
    else {
      const closed = once(webSocket, "close");
      webSocket.send(frame);
      await closed;
      ({ webSocket } = await dialRaw(stage, session.job));
    }
    sent += 1;
    if (sent % BATCH === 0) {
      webSocket.ping();
      await once(webSocket, "pong");
    }
  }
  webSocket.close();
  await once(webSocket, "close");
  expect(stage.find("malformed_frame").length).toBeGreaterThan(damagedFrameCount / 200);
  expect(stage.find("ignored_control").length).toBeGreaterThan(damagedFrameCount / 10);
  expect(stage.find("reply")).toEqual([]);
  await expectLive(stage, session);
});

it(`T04 bytes that are no WebSocket end their own socket at most (seed ${damageSeed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const stage = await startStage();
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
  for (const [index, bytes] of take([message], SOCKETS).entries()) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    socket.resume().write(request.replace("AGENT", `raw-${index}`));
    socket.end(bytes);
    await once(socket, "close");
  }
  for (const bytes of take([Buffer.from(request)], SOCKETS)) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    socket.resume().end(bytes);
    await once(socket, "close");
  }
  await expectLive(stage, session);
});
