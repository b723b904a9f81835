import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { WebSocket } from "ws";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { damagedFrameCount, damageSeed } from "../support/damage-frames.ts";
import { makeDamagedTraffic } from "../support/damaged-traffic.ts";
import { type ScriptedLink, startScriptedGateway } from "../support/scripted-gateway.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();

/** Frames between two waits for the other side, so that no buffer grows. */
const BATCH = 250;
/** One frame in so many breaks the rules of WebSocket itself, over which a link ends. */
const BROKEN_IN = 1_000;
const TIMEOUT_MS = 60_000 + damagedFrameCount;

test(`${damagedFrameCount} damaged frames do not end an agent (seed ${damageSeed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  const { random, nextFrame, nextText } = makeDamagedTraffic(damageSeed);
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

function ping(socket: WebSocket): Promise<unknown> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  socket.ping();
  return once(socket, "pong");
}

function rawSocket({ socket }: ScriptedLink): Socket {
  return (socket as unknown as { _socket: Socket })._socket;
}
