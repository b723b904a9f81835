import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { platformFlags } from "../../src/gateway.ts";
import { openSession, type Stage, startStage } from "../support/gateway-stage.ts";
import { startLinkProxy } from "../support/link-proxy.ts";
import { dialRaw, type RawAgent } from "../support/raw-agent.ts";

/** All pieces of the slow frame together take longer than the deadline, each a fortieth of it. */
const DEADLINE_MS = 2_000;
const PIECES = 48;

/** Breaks the link off as a network does, and waits until the gateway knows. */
async function cut(stage: Stage, agent: RawAgent) {
  const number = stage.find("link_closed").length + 1;
  agent.webSocket.terminate();
  await stage.waitForEvent("link_closed", number);
}

describe("T16 a link cut, and back inside the window", () => {
  it("goes on without a warm-up and without a new session; what was not answered comes again", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId, played } = await openSession(stage);
    await cut(stage, agent);
    expect(job.tunnels).toEqual([
      { agentId: agent.agentId, state: "running", isConnected: false, sessionId },
    ]);
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    expect(await back.waitForFrame()).toEqual({ sid: sessionId, payload: Buffer.from("look") });
    expect(back.controls).toEqual([{ type: "resume", session_id: sessionId, replies: 0, resend: true }]);
    expect(stage.find("dialed").map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(stage.find("observation_sent").map(({ resent }) => resent)).toEqual([false, true]);
    back.reply(sessionId, "move");
    expect(Buffer.from(await action).toString()).toBe("move");
    played.finish();
    await back.waitForControl("drain");
    back.webSocket.close(1000);
    expect((await job.ended).cases).toMatchObject([{ result: { score: 1 }, agentId: agent.agentId }]);
  });

  it("says how many replies came, and resends nothing where nothing waits", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId, played } = await openSession(stage);
    agent.reply(sessionId, "move");
    await action;
    await cut(stage, agent);
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    expect(await back.waitForControl("resume")).toEqual({
      type: "resume",
      session_id: sessionId,
      replies: 1,
      resend: false,
    });
    void played.policy.infer(Buffer.from("next"));
    expect((await back.waitForFrame()).payload.toString()).toBe("next");
    expect(back.frames).toHaveLength(1);
  });

  it("keeps what is asked while the agent is away", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId, played } = await openSession(stage);
    agent.reply(sessionId, "move");
    await action;
    await cut(stage, agent);
    void played.policy.infer(Buffer.from("next"));
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    expect((await back.waitForFrame()).payload.toString()).toBe("next");
    expect(stage.find("observation_sent").map(({ resent }) => resent)).toEqual([false, false]);
    expect(back.controls).toMatchObject([{ type: "resume", replies: 1, resend: true }]);
  });

  it("tells an agent that its session ended meanwhile, and gives it the next case", async () => {
    const stage = await startStage();
    const { agent, job, sessionId, played } = await openSession(stage, { caseCount: 2 });
    await cut(stage, agent);
    played.fail(new Error("the simulator broke"));
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    expect(await back.waitForControl("session_close")).toMatchObject({ session_id: sessionId });
    expect((await back.waitForControl("session_open"))["session_id"]).not.toBe(sessionId);
    expect(stage.find("warmup_sent")).toHaveLength(1);
  });

  it("holds its slot", async () => {
    const stage = await startStage();
    const { agent, job } = await openSession(stage, { parallelism: 1 });
    await cut(stage, agent);
    expect(await (await dialRaw(stage, job)).closed).toMatchObject({ code: 4001 });
    expect(
      await (await dialRaw(stage, job, { token: "wrong", agentId: agent.agentId })).closed,
    ).toMatchObject({
      code: 401,
    });
    expect((await dialRaw(stage, job, { agentId: agent.agentId })).webSocket.readyState).toBe(1);
  });

  it("opens no window where there is no session: the pair is forgotten, and warmed up anew", async () => {
    const stage = await startStage();
    const job = stage.addJob();
    const agent = await dialRaw(stage, job);
    await agent.waitForControl("warmup");
    await cut(stage, agent);
    expect(stage.find("link_closed")).toMatchObject([{ windowOpen: false }]);
    expect(job.tunnels).toEqual([]);
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    await back.waitForControl("warmup");
    expect(stage.find("dialed").map(({ resumed }) => resumed)).toEqual([false, false]);
  });

  it("goes on over many cuts, whatever is on its way, in order and once", async () => {
    const stage = await startStage();
    const { job, played, ...first } = await openSession(stage);
    let { agent } = first;
    agent.reply(played.policy.sessionId, "0");
    expect(Buffer.from(await first.action).toString()).toBe("0");
    for (let number = 1; number <= 20; number += 1) {
      const action = played.policy.infer(Buffer.from(String(number)));
      if (number % 2 === 0) await agent.waitForFrame();
      expect(job.cutLink(agent.agentId)).toBe(true);
      agent = await dialRaw(stage, job, { agentId: agent.agentId });
      expect((await agent.waitForFrame()).payload.toString()).toBe(String(number));
      agent.reply(played.policy.sessionId, String(number));
      expect(Buffer.from(await action).toString()).toBe(String(number));
    }
    expect(job.cutLink("nobody")).toBe(false);
  });
});

describe("T17 a link cut, and back after the window", () => {
  it("loses the case, and the pair may not come back while the job lives", async () => {
    const stage = await startStage({ timers: { windowMs: 50 } });
    const { agent, job, action, sessionId, played } = await openSession(stage, { caseCount: 2 });
    await cut(stage, agent);
    await expect(action).rejects.toMatchObject({ code: "session_lost" });
    expect(played.signal.aborted).toBe(true);
    played.fail(new Error("told so"));
    expect(stage.find("window_expired")).toMatchObject([{ sessionId }]);
    const late = await dialRaw(stage, job, { agentId: agent.agentId });
    expect(await late.closed).toEqual({ code: 4003, reason: expect.stringContaining(agent.agentId) });
    expect(stage.find("refused")).toMatchObject([{ why: "pair_expired" }]);
    const fresh = await dialRaw(stage, job);
    fresh.serve((payload) => payload);
    (await stage.nextCase()).finish();
    expect((await job.ended).cases).toMatchObject([
      { agentId: agent.agentId, failure: "tunnel_lost", detail: "reconnect window expired" },
      { agentId: fresh.agentId, result: { score: 1 } },
    ]);
  });
});

describe("T28 a half-open link", () => {
  it("is ended by the read deadline; the pair is a duplicate before, and resumed after it", async () => {
    const stage = await startStage({ timers: { pingMs: 50, readDeadlineMs: 1_000 } });
    const job = stage.addJob();
    const proxy = await startLinkProxy(Number(new URL(stage.tunnelUrl).port));
    const agent = await dialRaw({ tunnelUrl: proxy.route(stage.tunnelUrl) }, job);
    await agent.waitForControl("warmup");
    agent.say({ type: "ready" });
    const { policy } = await stage.nextCase();
    const action = policy.infer(Buffer.from("look"));
    await agent.waitForFrame();
    proxy.freeze();
    expect(await (await dialRaw(stage, job, { agentId: agent.agentId })).closed).toMatchObject({
      code: 4002,
    });
    const { reason, windowOpen } = await stage.waitForEvent("link_closed");
    expect([reason, windowOpen]).toEqual(["no byte for 1 s", true]);
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    await back.waitForFrame();
    back.reply(policy.sessionId, "move");
    expect(Buffer.from(await action).toString()).toBe("move");
    agent.webSocket.terminate();
    await proxy.close();
  });

  it("is none while bytes come, be it of one slow frame", async () => {
    const stage = await startStage({ timers: { pingMs: 60_000, readDeadlineMs: DEADLINE_MS } });
    const { agent, action, sessionId } = await openSession(stage);
    const reply = Buffer.alloc(20_000, "x");
    const { _socket: socket } = agent.webSocket as unknown as { _socket: { write(bytes: Buffer): boolean } };
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 36]), Buffer.from(sessionId), reply]);
    socket.write(
      Buffer.concat([Buffer.from([0x82, 0xfe, frame.length >> 8, frame.length & 255]), Buffer.alloc(4)]),
    );
    const pieceBytes = Math.ceil(frame.length / PIECES);
    for (let at = 0; at < frame.length; at += pieceBytes) {
      socket.write(frame.subarray(at, at + pieceBytes));
      await pause((1.2 * DEADLINE_MS) / PIECES);
    }
    expect(Buffer.from(await action).equals(reply)).toBe(true);
    expect(stage.find("link_closed")).toEqual([]);
  });
});

describe("T16 as on the platform", () => {
  it("says nothing and sends nothing again after a resume; a reply that is sent again answers the next observation", async () => {
    const stage = await startStage({ flags: platformFlags });
    const { agent, job, action, sessionId, played } = await openSession(stage);
    agent.reply(sessionId, "move 1");
    expect(Buffer.from(await action).toString()).toBe("move 1");
    await cut(stage, agent);
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    back.reply(sessionId, "move 1");
    await stage.waitForEvent("reply", 2);
    expect(back.controls).toEqual([]);
    const next = played.policy.infer(Buffer.from("look 2"));
    expect(Buffer.from(await next).toString()).toBe("move 1");
    expect((await back.waitForFrame()).payload.toString()).toBe("look 2");
    expect(stage.find("reply").map(({ asked }) => asked)).toEqual([true, false]);
  });

  it("drops what is asked while the agent is away", async () => {
    const stage = await startStage({ flags: platformFlags });
    const { agent, job, action, sessionId, played } = await openSession(stage);
    agent.reply(sessionId, "move");
    await action;
    await cut(stage, agent);
    const lost = played.policy.infer(Buffer.from("next"));
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    job.drain();
    await back.waitForControl("drain");
    back.webSocket.close(1000);
    await expect(lost).rejects.toMatchObject({ code: "session_ended" });
    expect(back.frames).toEqual([]);
  });
});
