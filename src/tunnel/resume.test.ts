import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fastTimers, makePlainHandler, type PlayedAgent, useAgents } from "../../test/support/agents.ts";
import {
  type ScriptedGateway,
  type ScriptedLink,
  startScriptedGateway,
} from "../../test/support/scripted-gateway.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { closeCodes } from "../wire/close-codes.ts";

let gateway: ScriptedGateway;
const start = useAgents();

beforeEach(async () => {
  gateway = await startScriptedGateway();
});
afterEach(() => gateway.close());

/** A running session A; the handler answers when it is told to. */
async function begin(options: Partial<Parameters<typeof start>[0]> = {}) {
  const waiting: (() => void)[] = [];
  const handle = (_: Uint8Array, payload: Uint8Array) =>
    new Promise<Uint8Array>((resolve) => {
      waiting.push(() => resolve(Buffer.concat([Buffer.from("re "), payload])));
    });
  const handler = makePlainHandler({ handle });
  const played = start({ gatewayUrl: gateway.url, handler, ...options });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.tell({ type: "session_open", sessionId: "A" });
  const answer = async () => (await waitFor(() => waiting.shift(), { intervalMs: 1 }))();
  return { played, link, handler, answer, isBusy: () => waiting.length > 0 };
}

/** Cuts the link, and waits until the agent knows. */
async function cut(link: ScriptedLink, played: PlayedAgent, how: "close" | "reset" = "reset") {
  if (how === "reset") link.reset();
  else link.socket.close(1001);
  await played.waitForState("redialing");
}

const say = (replies: number, resend?: boolean) =>
  ({ type: "resume", sessionId: "A", replies, resend }) as const;
const read = async (link: ScriptedLink) => String((await link.nextReply()).payload);

/** Whatever the agent sends by itself is here before the answer to an empty frame. */
async function expectSilence(link: ScriptedLink) {
  link.observe("", "");
  expect(await read(link)).toBe("");
}

test("an observation in the handler is answered over the new link, and its repeat is dropped", async () => {
  const { played, link, answer, handler } = await begin();
  link.observe("A", "one");
  await waitFor(() => handler.calls.includes("handle A 3"));
  await cut(link, played);
  const next = await gateway.nextLink();
  expect(next.agentId).toBe(link.agentId);
  next.tell(say(0, true));
  next.observe("A", "one");
  await played.waitForLine(/dropped an observation that came twice/);
  await answer();
  expect(await read(next)).toBe("re one");
  next.observe("A", "two");
  await answer();
  expect(await read(next)).toBe("re two");
  expect(played.states.slice(-4)).toEqual(["running", "redialing", "queued", "running"]);
  const { report } = await played.agent.stop();
  expect(report).toMatchObject({ replies: 2, resent: 0, redials: 1, sessions: 1, lost: 0 });
  expect(handler.calls.filter((call) => call === "load" || call === "open A").length).toBe(2);
});

test("a reply made while the link is down goes out at once, by the count or without it", async () => {
  for (const says of [say(0, true), undefined]) {
    const { played, link, answer } = await begin();
    link.observe("A", "one");
    await played.waitForLine(/session A opened/);
    gateway.answer = () => ({ status: 503 });
    await cut(link, played);
    await answer();
    gateway.answer = () => "accept";
    const next = await gateway.nextLink();
    if (says) {
      next.tell(says);
      next.observe("A", "one");
    }
    expect(await read(next)).toBe("re one");
    await expectSilence(next);
    expect((await played.agent.stop()).report).toMatchObject({ replies: 1, resent: 0 });
  }
});

test("a reply that got lost is sent again when the count says so, and only then", async () => {
  const { played, link, answer } = await begin();
  link.socket.pause();
  link.observe("A", "one");
  await answer();
  await waitFor(() => played.events.some(({ type }) => type === "frame"));
  await cut(link, played);
  const second = await gateway.nextLink();
  second.tell(say(0, true));
  second.observe("A", "one");
  expect(await read(second)).toBe("re one");
  await expectSilence(second);
  await cut(second, played);
  const third = await gateway.nextLink();
  third.tell(say(1, true));
  third.observe("A", "two");
  await answer();
  expect(await read(third)).toBe("re two");
  await expectSilence(third);
  expect((await played.agent.stop()).report).toMatchObject({ replies: 2, resent: 1, redials: 2 });
});

test("a reply over a link that broke off right behind its handshake may have arrived: the count decides", async () => {
  const { played, link, answer } = await begin();
  link.observe("A", "one");
  await played.waitForLine(/session A opened/);
  gateway.answer = () => ({ status: 503 });
  await cut(link, played);
  await answer();
  gateway.answer = () => "accept";
  const second = await gateway.nextLink();
  expect(await read(second)).toBe("re one");
  second.reset();
  const third = await gateway.nextLink();
  expect(played.log()).not.toContain("still takes the old link for live");
  third.tell(say(1, true));
  third.observe("A", "two");
  await answer();
  expect(await read(third)).toBe("re two");
  await expectSilence(third);
  expect((await played.agent.stop()).report).toMatchObject({ replies: 2, resent: 0 });
});

test("without a count, an unproven reply waits for evidence", async () => {
  const evidence: [string, (link: ScriptedLink) => void, string[]][] = [
    ["a repeat", (link) => link.observe("A", "one"), ["re one"]],
    ["another observation", (link) => link.observe("A", "two"), ["re two"]],
    ["nothing", () => undefined, ["re one"]],
  ];
  for (const [name, show, expected] of evidence) {
    const { played, link, answer, isBusy } = await begin();
    link.socket.pause();
    link.observe("A", "one");
    await answer();
    await waitFor(() => played.events.some(({ type }) => type === "frame"));
    await cut(link, played);
    const next = await gateway.nextLink();
    show(next);
    if (name === "another observation") await answer();
    for (const reply of expected) expect(await read(next), name).toBe(reply);
    await expectSilence(next);
    expect(isBusy(), name).toBe(false);
    await played.agent.stop();
  }
});

test("a gateway that said its count before is waited for, however long it is silent", async () => {
  const { played, link, answer } = await begin();
  await cut(link, played);
  const second = await gateway.nextLink();
  second.tell(say(0, false));
  second.observe("A", "one");
  second.socket.pause(); // from here on it sends no pong
  await answer();
  await waitFor(() => played.events.some(({ type }) => type === "frame"));
  await cut(second, played);
  const third = await gateway.nextLink();
  await setTimeout(3 * fastTimers.evidenceMs); // silence
  await expectSilence(third);
  third.tell(say(0, true));
  expect(await read(third)).toBe("re one");
});

test("a reply that a pong proved is not sent again, and an equal observation is a new one", async () => {
  const { played, link, answer } = await begin();
  link.observe("A", "one");
  await answer();
  expect(await read(link)).toBe("re one");
  await waitFor(() => link.pings > 0);
  link.tell({ type: "queued" }); // behind the pong
  await played.waitForLine(/QUEUED at the gateway/);
  await cut(link, played, "close");
  const next = await gateway.nextLink();
  next.observe("A", "one");
  await answer();
  expect(await read(next)).toBe("re one");
  expect((await played.agent.stop()).report).toMatchObject({ replies: 2, resent: 0, unproven: 0 });
});

test("a warm-up after the cut shows that the session is over: its reply is thrown away, nothing is loaded again", async () => {
  const { played, link, answer, handler } = await begin();
  link.observe("A", "one");
  await waitFor(() => handler.calls.includes("handle A 3"));
  await cut(link, played);
  const next = await gateway.nextLink();
  await next.warmUp();
  await answer();
  next.observe("B", "new");
  await answer();
  expect(await next.nextReply()).toMatchObject({ sid: "B" });
  expect(handler.calls.filter((call) => call === "load").length).toBe(1);
  expect(handler.calls).toContain("close A");
});

test("a resume of a session that is not known opens it, and goes on with its count", async () => {
  const { played, link, answer, handler } = await begin();
  await cut(link, played);
  const next = await gateway.nextLink();
  next.tell({ type: "resume", sessionId: "Z", replies: 5, resend: true });
  next.observe("Z", "six");
  await answer();
  expect(await next.nextReply()).toMatchObject({ sid: "Z" });
  expect(handler.calls).toContain("close A");
  await cut(next, played);
  const third = await gateway.nextLink();
  third.tell({ type: "resume", sessionId: "Z", replies: 5, resend: false });
  expect(await read(third)).toBe("re six");
});

test("a link that we ended over a message that is too big says nothing about our reply, though its close is answered alike", async () => {
  const { played, link, answer } = await begin();
  link.socket.pause(); // from here on it sends no pong
  link.observe("A", "one");
  await answer();
  await waitFor(() => played.events.some(({ type }) => type === "frame"));
  link.socket.send(Buffer.alloc(64 * 1024 * 1024 + 1));
  await waitFor(() => link.socket.bufferedAmount > 0, { intervalMs: 1 });
  link.socket.resume();
  expect(await link.closed).toBe(1009);
  const next = await gateway.nextLink();
  next.tell(say(0, true));
  expect(await read(next)).toBe("re one");
  expect(played.log()).toContain("a message of 67108865 bytes: at most 67108864 (64 MiB) are taken");
});

test("a reply that is too big for the gateway becomes an error, so that not every link ends over it", async () => {
  const handler = makePlainHandler({ handle: async () => Buffer.alloc(100_000) });
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.socket.pause();
  link.observe("A", "one");
  await waitFor(() => played.events.some(({ type }) => type === "frame"));
  link.socket.close(closeCodes.too_big); // from here on it sends no pong
  link.socket.resume();
  await played.waitForState("redialing");
  const next = await gateway.nextLink();
  next.tell(say(0, true));
  const { payload } = await next.nextReply();
  expect(payload.length).toBeLessThan(200);
  expect(payload.toString()).toContain("the gateway takes no reply of 100000 bytes");
});
