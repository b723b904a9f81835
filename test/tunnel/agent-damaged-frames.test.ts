import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { makeControl } from "../../src/wire/control.ts";
import { decodeFrame, encodeFrame } from "../../src/wire/frame.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../support/damage-frames.ts";
import { makeRandom } from "../support/random.ts";
import { type ScriptedLink, startScriptedGateway } from "../support/scripted-gateway.ts";
import { startTunnelStage } from "../support/tunnel-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Frames between two waits for the other side, so that no buffer grows. */
const BATCH = 250;
/** One frame in so many breaks the rules of WebSocket itself, over which a link ends. */
const BROKEN_IN = 1_000;
/** Of the frames over which our gateway ends the link, one in so many is sent: each costs a dial. */
const MALFORMED_IN = 20;
const TIMEOUT_MS = 60_000 + damagedFrameCount;

const sid = Buffer.from("session-of-the-test");
const dataFrames = [
  encodeFrame(sid, Buffer.from("an observation or an action")),
  encodeFrame(sid, new Uint8Array()),
  encodeFrame(new Uint8Array(), Buffer.from("x")),
  encodeFrame(new Uint8Array(), new Uint8Array()),
  encodeFrame(Buffer.alloc(256, "s"), Buffer.alloc(300, "p")),
];
const controls = [
  makeControl({ type: "warmup" }),
  makeControl({ type: "ready" }),
  makeControl({ type: "queued", reason: "no_gpu_available" }),
  makeControl({ type: "session_open", sessionId: "session-of-the-test" }),
  makeControl({ type: "session_close", sessionId: "session-of-the-test", reason: "done" }),
  makeControl({ type: "resume", sessionId: "session-of-the-test", replies: 3, resend: true }),
].map((control) => Buffer.from(control));

/** `{"type":"drain"}` would rightly end an agent: no sample is near it. */
const makeTraffic = (seed: number) => {
  const random = makeRandom(seed);
  const data = makeDamagedFrames(dataFrames, seed);
  const texts = makeDamagedFrames(controls, seed + 1);
  const next = (frames: Generator<Uint8Array>) => frames.next().value as Uint8Array;
  return { random, nextFrame: () => next(data), nextText: () => text(next(texts)) };
};

test(`${damagedFrameCount} damaged frames do not end an agent (seed ${damageSeed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  const { random, nextFrame, nextText } = makeTraffic(damageSeed);
  const agent = startAgent({
    gatewayUrl: gateway.url,
    handler: makePlainHandler({ handle: async () => Buffer.from("reply") }),
    timers: { pingMs: 60_000, gatewayPingMs: 600_000, redialBudgetMs: 60_000, pairLiveMs: 600_000 },
  });
  let link = await gateway.nextLink();
  await link.warmUp();
  for (let sent = 1; sent <= damagedFrameCount; sent += 1) {
    if (sent % BROKEN_IN === 0) {
      rawSocket(link).write(nextFrame());
      rawSocket(link).end(); // a frame may also wait for its rest for ever
      link = await gateway.nextLink();
    } else if (random() < 0.6) link.socket.send(nextFrame());
    else link.socket.send(nextText());
    if (sent % BATCH === 0) await Promise.race([ping(link.socket), link.closed]);
  }
  expect(agent.agent.state).not.toMatch(/failed|drained/);
  link.observe("at the end", "x");
  await waitFor(async () => (await link.nextReply()).sid === "at the end");
  const { outcome, report } = await agent.agent.stop();
  expect(outcome).toBe("stopped");
  expect(report.malformedFrames).toBeGreaterThan(damagedFrameCount / 20);
  expect(Object.keys(report.ignoredControls).length).toBeLessThanOrEqual(101);
});

test(`${damagedFrameCount} damaged frames do not end a gateway (seed ${damageSeed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { stage, job, start, nextCase } = await startTunnelStage(startAgent, {
    timers: { windowMs: 60_000, readDeadlineMs: 60_000, pingMs: 60_000 },
  });
  const { random, nextFrame, nextText } = makeTraffic(damageSeed);
  const dial = async () => {
    const socket = new WebSocket(`${stage.tunnelUrl}?job=${job.uuid}&agent=damaged`, {
      headers: { Authorization: `Bearer ${job.token}` },
    });
    socket.on("error", () => socket.terminate());
    await once(socket, "open");
    return socket;
  };
  let socket = await dial();
  for (let sent = 0; sent < damagedFrameCount; ) {
    const frame = nextFrame();
    const isMalformed = decodeFrame(frame).fault !== undefined;
    if (random() < 0.4) socket.send(nextText());
    else if (!isMalformed) socket.send(frame);
    else if (random() > 1 / MALFORMED_IN) continue;
    else {
      const closed = once(socket, "close");
      if (random() < 0.5) socket.send(frame);
      else (socket as unknown as { _socket: import("node:net").Socket })._socket.end(frame);
      await closed;
      socket = await dialWhenFree(dial);
    }
    sent += 1;
    if (sent % BATCH === 0) await Promise.race([ping(socket), once(socket, "close")]);
  }
  socket.close(1000);
  expect(stage.find("malformed_frame").length).toBeGreaterThan(0);
  expect(stage.find("ignored_control").length).toBeGreaterThan(damagedFrameCount / 10);
  start();
  const { policy } = await nextCase();
  expect(text(await policy.infer(Buffer.from("x")))).toBe("reply to x");
});

function ping(socket: WebSocket): Promise<unknown> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  socket.ping();
  return once(socket, "pong");
}

function rawSocket({ socket }: ScriptedLink): import("node:net").Socket {
  return (socket as unknown as { _socket: import("node:net").Socket })._socket;
}

/** The gateway may still hold the link that it just ended. */
async function dialWhenFree(dial: () => Promise<WebSocket>): Promise<WebSocket> {
  return waitFor(async () => {
    const socket = await dial();
    await Promise.race([ping(socket), once(socket, "close")]);
    return socket.readyState === socket.OPEN ? socket : undefined;
  });
}
