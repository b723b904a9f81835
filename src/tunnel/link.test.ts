import { afterEach, beforeEach, expect, test } from "vitest";
import { fastTimers } from "../../test/support/agents.ts";
import { type LinkProxy, startLinkProxy } from "../../test/support/link-proxy.ts";
import {
  type ScriptedGateway,
  type ScriptedLink,
  startScriptedGateway,
} from "../../test/support/scripted-gateway.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { systemClock } from "../base/clock.ts";
import type { AgentTimers } from "./agent-options.ts";
import { dialGateway } from "./dial.ts";
import { Link, type LinkEnd } from "./link.ts";
import { Secrets } from "./secrets.ts";

let gateway: ScriptedGateway;
let proxy: LinkProxy;
let open: Link[] = [];

beforeEach(async () => {
  gateway = await startScriptedGateway();
  proxy = await startLinkProxy(gateway.port);
});
afterEach(async () => {
  for (const link of open) link.cut("the test is over");
  open = [];
  await proxy.close();
  await gateway.close();
});

async function connect(timers: Partial<AgentTimers> = {}) {
  const outcome = await dialGateway({
    url: new URL(proxy.route(gateway.url)),
    token: "t",
    secrets: new Secrets(),
    timeoutMs: 2_000,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  if (outcome.kind !== "open") throw new Error("the dial failed");
  const link = new Link(outcome, { ...fastTimers, ...timers }, systemClock);
  open.push(link);
  const seen = { signs: 0, bytes: 0, end: undefined as LinkEnd | undefined };
  const ended = new Promise<LinkEnd>((resolve) => {
    link.start({
      onSign: () => {
        seen.signs += 1;
      },
      onText: () => undefined,
      onBinary: (fragments) => {
        seen.bytes += fragments.reduce((sum, { length }) => sum + length, 0);
      },
      onEnd: resolve,
    });
  });
  return { link, seen, ended, far: await gateway.nextLink() };
}

const never = { pingMs: 60_000, gatewayPingMs: 60_000 };

test("a link of which nothing comes after a ping is dead", async () => {
  const { ended } = await connect({ pingMs: 30, pongMs: 20 });
  await waitFor(() => proxy.links === 1);
  proxy.freeze();
  const end = await ended;
  expect(end).toMatchObject({ code: 1006, says: "nothing came within 0.02 s after a ping", hadSign: false });
  expect(end.lastedMs).toBeGreaterThanOrEqual(49);
});

test("a link whose far end answers pings lives", async () => {
  const { link, far } = await connect({ pingMs: 30, pongMs: 20 });
  await waitFor(() => far.pings > 5);
  expect(link.isOpen).toBe(true);
});

test("a gateway that pinged and does so no more is gone, unless a large frame is on its way", async () => {
  const { ended, far, seen } = await connect({ gatewayPingMs: 100 });
  far.socket.ping();
  proxy.throttle(3_000_000);
  far.observe("A", Buffer.alloc(1_500_000));
  await waitFor(() => seen.bytes > 1_500_000);
  expect(seen.end).toBeUndefined();
  expect(await ended).toMatchObject({ says: "the gateway sent no ping for 0.1 s", hadSign: true });
  expect(seen.signs).toBe(1);
});

test("a reply is proven by the pong behind it, and a later ping proves it too", async () => {
  for (const size of [0, 10, 300_000]) {
    const { link, far } = await connect(never);
    const steps: string[] = [];
    link.sendFrame(Buffer.from("A"), Buffer.alloc(size, 7), {
      onSent: (isDone) => steps.push(isDone ? "sent" : "broken off"),
      onProven: () => steps.push("proven"),
    });
    const { payload } = await far.nextReply();
    expect(payload.equals(Buffer.alloc(size, 7))).toBe(true);
    await waitFor(() => steps.length === 2);
    expect(steps).toEqual(["sent", "proven"]);
  }
});

test("nothing is proven over a link that loses it", async () => {
  const { link, far, ended } = await connect(never);
  proxy.pause("up");
  let isProven = false;
  const isSent = link.sendFrame(Buffer.from("A"), Buffer.from("x"), {
    onSent: () => undefined,
    onProven: () => {
      isProven = true;
    },
  });
  expect(isSent).toBe(true);
  proxy.cut();
  await ended;
  expect([isProven, link.isOpen, link.sendText("late"), far.waiting]).toEqual([false, false, false, 0]);
  expect(link.sendFrame(Buffer.from("A"), Buffer.from("x"))).toBe(false);
});

test("a long reply on a slow network is no dead link", async () => {
  const { link, far } = await connect({ pingMs: 40, pongMs: 20 });
  proxy.throttle(1_000_000);
  link.sendFrame(Buffer.from("A"), Buffer.alloc(300_000));
  expect((await far.nextReply()).payload.length).toBe(300_000);
  expect(link.isOpen).toBe(true);
});

test("a message that is too long ends the link with 1009, and says how long it was", async () => {
  const { ended, far } = await connect(never);
  sendLengthOnly(far, 65 * 1024 * 1024);
  const end = await ended;
  expect(end.says).toBe("a message of 68157440 bytes: at most 67108864 (64 MiB) are taken");
  expect(await far.closed).toBe(1009);
});

test("a close tells its code and words", async () => {
  const { ended, far } = await connect(never);
  far.socket.close(4001, "2 of 2\u001b connected");
  expect(await ended).toMatchObject({ code: 4001, reason: "2 of 2\\x1b connected", says: undefined });
  const other = await connect(never);
  other.link.close(1000, "drained");
  expect(await other.ended).toMatchObject({ code: 1000, says: "drained" });
  expect(await other.far.closed).toBe(1000);
});

/** The head of a message that claims so many bytes, and none of them. */
function sendLengthOnly(far: ScriptedLink, bytes: number) {
  const head = Buffer.alloc(10);
  head[0] = 0x82;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  (far.socket as unknown as { _socket: import("node:net").Socket })._socket.write(head);
}
