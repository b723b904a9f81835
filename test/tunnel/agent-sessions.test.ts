import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeErrorEnvelope } from "../../src/payload/error-envelope.ts";
import { unpack } from "../../src/payload/unpack.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { makeAsking, makeHeldHandler, startTunnelStage } from "../support/tunnel-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Of the size that the documents' sample payload has in a frame. */
const SAMPLE_BYTES = 85_448 - 40;

test("T01 a session of 100 frames runs to its drain: 100 replies, in order, and the agent ends with 0", async () => {
  const makeObservation = (number: number) => Buffer.alloc(SAMPLE_BYTES, `${number} `);
  const replies: Uint8Array[] = [];
  const simulator = makeAsking(100, makeObservation, replies);
  const { job, stage, start } = await startTunnelStage(startAgent, {}, { simulator });
  const agent = start({ handler: makePlainHandler({ handle: async (_, payload) => payload.slice(0, 100) }) });
  const { outcome, report } = await agent.agent.ended;
  expect([outcome, report.replies, report.sessions]).toEqual(["drained", 100, 1]);
  expect(replies.map(text)).toEqual(
    Array.from({ length: 100 }, (_, number) => text(makeObservation(number).subarray(0, 100))),
  );
  expect((await job.ended).cases).toMatchObject([{ result: { steps: 100 } }]);
  expect(stage.find("reply").every(({ asked }) => asked)).toBe(true);
  expect(new Set(stage.find("reply").map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(agent.states).toEqual(["starting", "queued", "warmup", "running", "draining", "drained"]);
  expect(agent.lines.map(({ text: line }) => line).filter((line) => line.startsWith("state "))).toEqual([
    "state STARTING -> QUEUED",
    "state QUEUED -> WARMUP",
    "state WARMUP -> RUNNING",
    "state RUNNING -> DRAINING",
    "state DRAINING -> DRAINED",
  ]);
});

test("T23 a warm-up of minutes answers every ping, and nothing is dialled again", async () => {
  const { stage, start } = await startTunnelStage(startAgent, {
    timers: { pingMs: 100, readDeadlineMs: 1_000 },
  });
  let loaded: () => void = () => undefined;
  const load = () => new Promise<void>((resolve) => (loaded = resolve));
  const agent = start({ handler: makePlainHandler({ load }) });
  await stage.waitForEvent("warmup_sent");
  const before = stage.find("agent_pong").length;
  // Longer than the gateway waits for a byte.
  await waitFor(() => stage.find("agent_pong").length >= before + 12);
  expect(stage.find("link_closed")).toEqual([]);
  loaded();
  await stage.waitForEvent("ready");
  expect(agent.agent.state).toBe("running");
  expect((await agent.agent.stop()).report.redials).toBe(0);
});

describe("T21 a drain while the handler is busy", () => {
  test("waits for the reply, then closes with 1000", async () => {
    const { job, stage, start, nextCase } = await startTunnelStage(startAgent);
    const { handler, isBusy, letGo } = makeHeldHandler();
    const agent = start({ handler });
    const played = await nextCase();
    const action = played.policy.infer(Buffer.from("last"));
    await isBusy();
    job.drain();
    await agent.waitForState("draining");
    await letGo();
    expect(text(await action)).toBe("reply to last");
    const { outcome, report } = await agent.agent.ended;
    expect([outcome, report.lost, report.unproven]).toEqual(["drained", 0, 0]);
    expect(await stage.waitForEvent("link_closed")).toMatchObject({ code: 1000 });
    expect(handler.calls.slice(-2)).toEqual([`close ${played.policy.sessionId}`, "stop"]);
  });

  test("does not wait longer than it may, and counts what it leaves", async () => {
    const { job, start, nextCase } = await startTunnelStage(startAgent);
    const { handler, isBusy } = makeHeldHandler();
    const agent = start({ handler, timers: { drainMs: 60, pongMs: 30_000 } });
    (await nextCase()).policy.infer(Buffer.from("last")).catch(() => undefined); // it is cut off
    await isBusy();
    const startedMs = performance.now();
    job.drain();
    const { outcome, report } = await agent.agent.ended;
    expect([outcome, report.lost]).toEqual(["drained", 1]);
    expect(agent.log()).toContain("warn observations left unanswered: 1");
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

test("T20 after a drain nothing redials, and a dial by hand is refused with 401", async () => {
  const simulator = makeAsking(1, () => Buffer.from("x"));
  const { job, proxy, start } = await startTunnelStage(startAgent, {}, { simulator });
  const agent = start();
  expect((await agent.agent.ended).outcome).toBe("drained");
  await job.ended;
  expect(proxy.dialed).toBe(1);
  const late = start();
  const { outcome, error } = await late.agent.ended;
  expect([outcome, error?.code, proxy.dialed]).toEqual(["failed", "tunnel_job_ended", 2]);
});

test("an agent that was away when its job ended has nothing left to do", async () => {
  const { job, proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {}, { caseCount: 2 });
  const agent = start({ timers: { redialBudgetMs: 20_000 } });
  const first = await nextCase();
  expect(text(await first.policy.infer(Buffer.from("x")))).toBe("reply to x");
  start({ gatewayUrl: stage.tunnelUrl });
  const second = await nextCase();
  first.finish();
  await waitFor(() => agent.events.some(({ detail }) => detail === "closed by the gateway"));
  proxy.onDial("reset");
  proxy.cut();
  await stage.waitForEvent("link_closed");
  second.finish();
  await job.ended;
  proxy.onDial("pass");
  const { outcome, report } = await agent.agent.ended;
  expect([outcome, report.lost]).toEqual(["drained", 0]);
  expect(agent.log()).toContain("the job ended while no link was up");
});

describe("T25 a handler that throws once", () => {
  const makeThrowing = () => {
    let calls = 0;
    return makePlainHandler({
      handle: async (_, payload) => {
        calls += 1;
        if (calls === 1) throw new Error("out of memory");
        return payload;
      },
    });
  };

  test("answers with an error, and the next session works", async () => {
    const { start, nextCase } = await startTunnelStage(startAgent, {}, { caseCount: 2 });
    const agent = start({ handler: makeThrowing() });
    const first = await nextCase();
    const reply = await first.policy.infer(Buffer.from("x"));
    expect(unpack(reply)).toMatchObject({ value: { error: expect.stringContaining("out of memory") } });
    first.finish();
    const second = await nextCase();
    expect(text(await second.policy.infer(Buffer.from("y")))).toBe("y");
    expect((await agent.agent.stop()).report.handlerFaults).toBe(1);
  });

  test("or ends its session, and the next one works", async () => {
    const { start, nextCase } = await startTunnelStage(startAgent, {}, { caseCount: 2 });
    const agent = start({ handler: makeThrowing(), onFault: "close" });
    const first = await nextCase();
    await expect(first.policy.infer(Buffer.from("x"))).rejects.toMatchObject({ code: "session_ended" });
    const second = await nextCase();
    expect(text(await second.policy.infer(Buffer.from("y")))).toBe("y");
    expect((await agent.agent.stop()).report.handlerFaults).toBe(1);
  });
});

test("T30 frames of 2, 8 and 16 MB pass with equal hashes; one of 65 MiB closes the link with size and limit", async () => {
  const { job, stage, start, nextCase } = await startTunnelStage(startAgent);
  const handle = async (_: Uint8Array, payload: Uint8Array) =>
    Buffer.concat([createHash("sha256").update(payload).digest(), payload]);
  const agent = start({ handler: makePlainHandler({ handle }), payload: "opaque" });
  const { policy } = await nextCase();
  for (const megabytes of [2, 8, 16]) {
    const observation = Buffer.alloc(megabytes * 1_000_000, `${megabytes} MB`);
    const reply = Buffer.from(await policy.infer(observation));
    expect(reply.subarray(0, 32).equals(createHash("sha256").update(observation).digest())).toBe(true);
    expect(reply.subarray(32).equals(observation)).toBe(true);
  }
  expect(job.sendFrame(agent.agent.agentId, Buffer.alloc(65 * 1024 * 1024))).toBe(true);
  await agent.waitForLine(/a message of 68157440 bytes: at most 67108864 \(64 MiB\) are taken/);
  expect(await stage.waitForEvent("link_closed")).toMatchObject({ code: 1009 });
  // The session goes on over the next link.
  expect((await policy.infer(Buffer.from("x"))).length).toBe(33);
});

test("T30 a reply beyond 64 MiB is not sent: an error says its size and the limit", async () => {
  const { start, nextCase } = await startTunnelStage(startAgent);
  start({
    handler: makePlainHandler({ handle: async () => Buffer.alloc(65 * 1024 * 1024) }),
    validate: false,
  });
  const reply = await (await nextCase()).policy.infer(Buffer.from("x"));
  expect(text(reply)).toContain("the reply has 68157440 bytes");
  expect(reply.length).toBeLessThan(makeErrorEnvelope("x".repeat(300)).length);
});
