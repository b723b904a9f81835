import { afterEach, beforeEach, expect, test } from "vitest";
import { makePlainHandler, TOKEN, useAgents, waitForError } from "../../test/support/agents.ts";
import { type ScriptedGateway, startScriptedGateway } from "../../test/support/scripted-gateway.ts";
import { SortieError } from "../base/error.ts";
import { unpack } from "../payload/unpack.ts";

let gateway: ScriptedGateway;
const start = useAgents();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const readError = (reply: Uint8Array) => (unpack(reply) as { value: { error: string } }).value.error;

beforeEach(async () => {
  gateway = await startScriptedGateway();
});
afterEach(() => gateway.close());

test("dials with its pair and token, warms up, serves sessions one after another, and ends drained", async () => {
  const handler = makePlainHandler();
  const played = start({ gatewayUrl: `${gateway.url}?region=north`, handler, agentId: "agent 1" });
  const link = await gateway.nextLink();
  expect(gateway.dials[0]).toMatchObject({ jobUuid: "job-1", agentId: "agent 1", token: TOKEN });
  expect(gateway.dials[0]?.query.get("region")).toBe("north");
  expect(gateway.dials[0]?.headers["sec-websocket-extensions"]).toBeUndefined();
  await link.warmUp();
  link.tell({ type: "queued", reason: "no_gpu_available" });
  for (const sid of ["A", "B"]) {
    link.tell({ type: "session_open", sessionId: sid });
    for (const observation of ["one", "two"]) {
      link.observe(sid, observation, { fragments: observation === "two" });
      const reply = await link.nextReply();
      expect([reply.sid, text(reply.payload)]).toEqual([sid, `reply to ${observation}`]);
    }
    link.tell({ type: "session_close", sessionId: sid });
  }
  link.tell({ type: "drain", reason: "done" });
  expect(await link.closed).toBe(1000);
  const { outcome, error, report } = await played.agent.ended;
  expect([outcome, error, played.agent.state]).toEqual(["drained", undefined, "drained"]);
  expect(played.states).toEqual(["starting", "queued", "warmup", "running", "draining", "drained"]);
  expect(played.log()).toMatch(
    /state QUEUED -> WARMUP[\s\S]*state WARMUP -> RUNNING[\s\S]*state RUNNING -> DRAINING/,
  );
  expect(played.log()).toContain("QUEUED at the gateway (no GPU is free for a simulator)");
  expect(handler.calls).toEqual([
    ...["load", "open A", "handle A 3", "handle A 3", "close A"],
    ...["open B", "handle B 3", "handle B 3", "close B", "stop"],
  ]);
  expect(report).toMatchObject({ sessions: 2, replies: 4, unproven: 0, lost: 0, redials: 0, resent: 0 });
  const frames = played.events.filter(({ type }) => type === "frame");
  expect(frames.map(({ sessionId }) => sessionId)).toEqual(["A", "A", "B", "B"]);
  for (const frame of frames)
    for (const part of ["queueMs", "handlerMs", "checkMs", "sendMs"] as const)
      expect(frame[part]).toBeGreaterThanOrEqual(0);
  expect(gateway.dials.length).toBe(1);
});

test("every reply is followed by a ping", async () => {
  start({ gatewayUrl: gateway.url, handler: makePlainHandler() });
  const link = await gateway.nextLink();
  await link.warmUp();
  for (let count = 1; count <= 3; count += 1) {
    link.observe("A", "x");
    await link.nextReply();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(link.pings).toBeGreaterThanOrEqual(3);
});

test("a handler that cannot be loaded ends the agent without a ready", async () => {
  const load = () => Promise.reject(new SortieError("internal", { reason: "no weights" }));
  const handler = makePlainHandler({ load });
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  link.tell({ type: "warmup" });
  link.observe("A", "too early"); // waits for the load
  expect((await waitForError(played)).message).toContain("no weights");
  expect(await link.closed).toBe(1001);
  expect(played.states.at(-1)).toBe("failed");
  expect(handler.calls).toEqual(["load", "stop"]);
});

test("a link that is cut while the handler loads changes nothing: it loads once, and is ready over the next link", async () => {
  let loaded: () => void = () => undefined;
  const handler = makePlainHandler({ load: () => new Promise((resolve) => (loaded = resolve)) });
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  link.tell({ type: "warmup" });
  await played.waitForState("warmup");
  link.reset();
  const next = await gateway.nextLink();
  next.tell({ type: "warmup" });
  next.tell({ type: "warmup" });
  await played.waitForState("warmup");
  loaded();
  expect(await next.nextControl()).toMatchObject({ type: "ready" });
  await played.waitForState("running");
  // A gateway that asks again is answered again.
  await next.warmUp();
  expect(handler.calls).toEqual(["load"]);
});

test("a drain while the handler loads does not wait for it", async () => {
  const handler = makePlainHandler({ load: () => new Promise(() => undefined) });
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  link.tell({ type: "warmup" });
  await played.waitForState("warmup");
  link.tell({ type: "drain" });
  expect(await link.closed).toBe(1000);
  expect((await played.agent.ended).outcome).toBe("drained");
  expect(handler.calls).toEqual(["load", "stop"]);
});

test("a load that fails after a drain changes nothing: what waits for it is given up, and the agent ends drained", async () => {
  let fail: (reason: unknown) => void = () => undefined;
  const handler = makePlainHandler({ load: () => new Promise((_, reject) => (fail = reject)) });
  const played = start({ gatewayUrl: gateway.url, handler, timers: { drainMs: 60_000 } });
  const link = await gateway.nextLink();
  link.tell({ type: "warmup" });
  link.observe("A", "too early");
  link.tell({ type: "drain" });
  await played.waitForState("draining");
  fail(new Error("no weights"));
  expect(await played.agent.ended).toMatchObject({ outcome: "drained", report: { lost: 1 } });
  expect(played.states.at(-1)).toBe("drained");
  expect(await link.closed).toBe(1000);
});

test("a fault is answered with an error, counted, and forgotten", async () => {
  let calls = 0;
  const handle = async (_: Uint8Array, payload: Uint8Array) => {
    calls += 1;
    if (calls === 1) throw new SortieError("internal", { reason: "shape mismatch", trace: "line 7" });
    return calls === 2 ? ("text" as unknown as Uint8Array) : payload;
  };
  const played = start({ gatewayUrl: gateway.url, handler: makePlainHandler({ handle }) });
  const link = await gateway.nextLink();
  await link.warmUp();
  const errors: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    link.observe("A", "x");
    errors.push(readError((await link.nextReply()).payload));
  }
  expect(errors[0]).toContain("shape mismatch");
  expect(errors[1]).toBe("The handler returned a value of type string: bytes belong there.");
  link.observe("A", "fine");
  expect(text((await link.nextReply()).payload)).toBe("fine");
  expect(played.log()).toMatch(/shape mismatch.*\nline 7/);
  expect((await played.agent.stop()).report).toMatchObject({ handlerFaults: 2, replies: 3 });
});

test("where faults end the session, the gateway is told", async () => {
  const handle = () => Promise.reject(new SortieError("internal", { reason: "broken" }));
  const handler = makePlainHandler({ handle });
  start({ gatewayUrl: gateway.url, handler, onFault: "close" });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.tell({ type: "session_open", sessionId: "A" });
  link.observe("A", "x");
  expect(await link.nextControl()).toMatchObject({ type: "session_close", sessionId: "A" });
  link.tell({ type: "session_open", sessionId: "B" });
  link.observe("B", "x");
  expect(await link.nextControl()).toMatchObject({ type: "session_close", sessionId: "B" });
  expect(link.waiting).toBe(0);
});

test("a handler that cannot open a session answers its observations with that", async () => {
  const open = () => Promise.reject(new SortieError("internal", { reason: "no room" }));
  start({ gatewayUrl: gateway.url, handler: makePlainHandler({ open }) });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.observe("A", "x");
  expect(readError((await link.nextReply()).payload)).toContain("no room");
});

test("a handler that dies is told to whoever waits, and ends the agent", async () => {
  let die: (error: SortieError) => void = () => undefined;
  const error = new SortieError("handler_died", { when: "in a call", end: "killed by signal 9" });
  const died = new Promise<SortieError>((resolve) => {
    die = resolve;
  });
  const handle = async () => {
    die(error);
    throw error;
  };
  const handler = makePlainHandler({ died, handle, close: () => Promise.reject(error) });
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.observe("A", "x");
  expect(readError((await link.nextReply()).payload)).toContain("killed by signal 9");
  expect(await waitForError(played)).toBe(error);
  expect(await link.closed).toBe(1001);
  // Its end is told once, by the end of the agent, and is no fault of a session.
  expect(played.log()).not.toContain("killed by signal 9");
  expect((await played.agent.ended).report.handlerFaults).toBe(0);
});

test("a session that is not announced is served, and another id ends the one before", async () => {
  const handler = makePlainHandler();
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  // No warm-up either: the handler is loaded by the first frame.
  link.observe("A", "x");
  await link.nextReply();
  link.observe("B", "x");
  await link.nextReply();
  expect(handler.calls).toEqual(["load", "open A", "handle A 1", "close A", "open B", "handle B 1"]);
  expect(played.states).toEqual(["starting", "queued", "running"]);
});

test("a late frame of a session that was closed is dropped, whether another one is open or not", async () => {
  const handler = makePlainHandler();
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.observe("A", "x");
  await link.nextReply();
  link.tell({ type: "session_close", sessionId: "A" });
  link.observe("A", "late");
  link.tell({ type: "session_open", sessionId: "B" });
  link.observe("B", "x");
  link.observe("A", "later");
  link.observe("B", "y");
  expect([(await link.nextReply()).sid, (await link.nextReply()).sid]).toEqual(["B", "B"]);
  expect(played.log()).toContain("dropped a data frame of a session that was closed");
  expect(handler.calls.filter((call) => /^(open|close) /.test(call))).toEqual([
    "open A",
    "close A",
    "open B",
  ]);
  // It may be opened anew.
  link.tell({ type: "session_open", sessionId: "A" });
  link.observe("A", "x");
  expect((await link.nextReply()).sid).toBe("A");
});

test("a gateway that floods a busy handler fills no memory; what its closed sessions asked is forgotten", async () => {
  let release: () => void = () => undefined;
  const busy = new Promise<void>((resolve) => (release = resolve));
  const handle = async (_: Uint8Array, payload: Uint8Array) => {
    await busy;
    return payload;
  };
  const handler = makePlainHandler({ handle });
  const played = start({ gatewayUrl: gateway.url, handler, timers: { pingMs: 60_000 } });
  const link = await gateway.nextLink();
  await link.warmUp();
  for (let count = 0; count < 500; count += 1) for (const sid of ["A", "B"]) link.observe(sid, "x");
  for (let count = 0; count < 500; count += 1) link.observe("", "");
  link.tell({ type: "queued" });
  await played.waitForLine(/too many calls wait for the handler[\s\S]*QUEUED/);
  release();
  link.tell({ type: "session_open", sessionId: "C" });
  await played.waitForLine(/session C opened/);
  link.observe("C", "after it");
  let reply = await link.nextReply();
  while (reply.sid !== "C") reply = await link.nextReply();
  expect(text(reply.payload)).toBe("after it");
  const handled = handler.calls.filter((call) => call.startsWith("handle "));
  // The first one, that of the session that was open at last, and the one after it.
  expect(handled.length).toBeLessThanOrEqual(3);
  expect((await played.agent.stop()).report.lost).toBeGreaterThan(0);
});

test("stop ends at once, whatever the handler is at", async () => {
  let release: () => void = () => undefined;
  const handler = makePlainHandler({
    handle: () =>
      new Promise((_, reject) => {
        release = () => reject(new SortieError("internal", { reason: "stopped" }));
      }),
    stop: async () => release(),
  });
  const played = start({ gatewayUrl: gateway.url, handler });
  const link = await gateway.nextLink();
  await link.warmUp();
  link.observe("A", "x");
  await played.waitForLine(/session A opened/);
  const end = await played.agent.stop();
  expect(end).toMatchObject({ outcome: "stopped", report: { lost: 1, replies: 0 } });
  expect(await link.closed).toBe(1001);
  expect(await played.agent.stop()).toBe(end);
  expect(played.states.at(-1)).toBe("running");
  expect(played.log()).toMatch(/stopped while RUNNING$/);
  expect(played.log()).not.toMatch(/FAILED|error/);
});

test("bad settings are refused at once, without a word of the token", () => {
  const handler = makePlainHandler();
  for (const bad of [
    { gatewayUrl: "http://here/" },
    { jobUuid: " " },
    { agentId: "x".repeat(65) },
    { token: "white space" },
    { token: "" },
    { proxyUrl: "socks5://here:1" },
  ])
    expect(() => start({ gatewayUrl: gateway.url, handler, ...bad })).toThrow(SortieError);
  const refuse = () => start({ gatewayUrl: gateway.url, handler, token: "se cret" });
  expect(refuse).toThrow("holds white space");
  expect(refuse).toThrow(expect.not.objectContaining({ message: expect.stringContaining("se cret") }));
});
