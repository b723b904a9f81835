import { describe, expect, it } from "vitest";
import { closeCodes } from "../../src/wire/close-codes.ts";
import { dialReady, openSession, startStage } from "../support/gateway-stage.ts";
import { dialRaw } from "../support/raw-agent.ts";

describe("T20 nothing comes back after a drain", () => {
  it("drains every agent when the last case has ended, and gives 401 from then on", async () => {
    const stage = await startStage();
    const job = stage.addJob();
    const busy = await dialReady(stage, job);
    const played = await stage.nextCase();
    const idle = await dialReady(stage, job);
    expect(await idle.waitForControl("queued")).toEqual({ type: "queued", reason: "no_gpu_available" });
    const loading = await dialRaw(stage, job);
    await loading.waitForControl("warmup");
    played.finish({ score: 0.5, steps: 3 });
    for (const agent of [busy, idle, loading]) {
      await agent.waitForControl("drain");
      expect(await (await dialRaw(stage, job)).closed).toMatchObject({ code: 401 });
      agent.webSocket.close(1000);
    }
    expect(await job.ended).toEqual({
      outcome: "succeeded",
      cases: [{ agentId: busy.agentId, spec: played.spec, result: { score: 0.5, steps: 3 } }],
    });
    const late = await dialRaw(stage, job, { agentId: busy.agentId });
    expect(await late.closed).toEqual({
      code: 401,
      reason: "",
      body: '{"status":"error","error":"the job has ended"}',
    });
    expect(stage.find("refused").every(({ why, status }) => why === "job_over" && status === 401)).toBe(true);
  });

  it("takes the answer to what is in flight, and refuses what is asked after it", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId, played } = await openSession(stage, { caseCount: 3 });
    job.drain();
    await agent.waitForControl("drain");
    expect(played.signal.aborted).toBe(true);
    agent.reply(sessionId, "move");
    expect(Buffer.from(await action).toString()).toBe("move");
    await expect(played.policy.infer(Buffer.from("more"))).rejects.toMatchObject({ code: "session_ended" });
    played.fail(new Error("no more"));
    agent.webSocket.close(1000);
    const { cases } = await job.ended;
    expect(cases.map(({ failure, detail }) => [failure, detail])).toEqual([
      ["cancelled", "the job was drained before it began"],
      ["cancelled", "the job was drained before it began"],
      ["cancelled", "the job is drained"],
    ]);
  });

  it("cuts off what does not drain in time, also a simulator that hangs", async () => {
    const stage = await startStage({ timers: { drainMs: 100 } });
    const { agent, job, action } = await openSession(stage);
    job.drain();
    expect(await agent.closed).toEqual({ code: 4004, reason: "the job has ended" });
    await expect(action).rejects.toMatchObject({ code: "session_ended" });
    expect((await job.ended).cases).toMatchObject([{ failure: "cancelled" }]);
  });

  it("tells an agent that was away, once it is back", async () => {
    const stage = await startStage();
    const { agent, job, played } = await openSession(stage);
    agent.webSocket.terminate();
    await stage.waitForEvent("link_closed");
    job.drain();
    played.fail(new Error("no more"));
    const back = await dialRaw(stage, job, { agentId: agent.agentId });
    await back.waitForControl("drain");
    back.webSocket.close(1000);
    await job.ended;
  });

  it("tells an agent again whose link broke before it can have heard", async () => {
    const stage = await startStage();
    const job = stage.addJob();
    const deaf = await dialRaw(stage, job, { autoPong: false });
    job.drain();
    await deaf.waitForControl("drain");
    deaf.webSocket.terminate();
    expect(await stage.waitForEvent("link_closed")).toMatchObject({ windowOpen: true });
    const back = await dialRaw(stage, job, { agentId: deaf.agentId });
    await back.waitForControl("drain");
    back.webSocket.terminate();
    await job.ended;
  });

  it("bids an agent wait whose old link still counts as live, and tells it when that is gone", async () => {
    const stage = await startStage();
    const job = stage.addJob();
    const old = await dialRaw(stage, job, { autoPong: false });
    job.drain();
    await old.waitForControl("drain");
    const early = await dialRaw(stage, job, { agentId: old.agentId });
    expect(await early.closed).toMatchObject({ code: closeCodes.duplicate });
    old.webSocket.terminate();
    await stage.waitForEvent("link_closed");
    const back = await dialRaw(stage, job, { agentId: old.agentId });
    await back.waitForControl("drain");
    back.webSocket.close(1000);
    await job.ended;
  });

  it("is at once where a job has no cases", async () => {
    const stage = await startStage();
    const job = stage.addJob({ caseCount: 0 });
    expect(await job.ended).toEqual({ outcome: "succeeded", cases: [] });
    expect(await (await dialRaw(stage, job)).closed).toMatchObject({ code: 401 });
  });
});

describe("T22 a warm-up that throws", () => {
  it("is told when the link ends without ready, and frees the slot", async () => {
    const stage = await startStage();
    const job = stage.addJob({ parallelism: 1 });
    const agent = await dialRaw(stage, job);
    await agent.waitForControl("warmup");
    agent.webSocket.close(1011);
    expect(await stage.waitForEvent("warm_up_failed")).toMatchObject({ agentId: agent.agentId });
    expect(job.tunnels).toEqual([]);
    const next = await dialReady(stage, job);
    await next.waitForControl("session_open");
  });
});

describe("T25 a session that its agent ends", () => {
  it("fails the case as the agent's, and the agent plays the next one", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId, played } = await openSession(stage, { caseCount: 2 });
    agent.say({ type: "session_close", session_id: sessionId, reason: "the handler threw" });
    await expect(action).rejects.toMatchObject({ code: "session_ended" });
    expect(played.signal.aborted).toBe(true);
    const next = await stage.nextCase();
    played.fail(new Error("told so"));
    next.finish();
    await agent.waitForControl("drain");
    agent.webSocket.close(1000);
    expect((await job.ended).cases).toMatchObject([
      { failure: "agent_error", detail: "the agent closed the session: the handler threw" },
      { result: { score: 1 } },
    ]);
    expect(stage.find("session_closed").map(({ by }) => by)).toEqual(["agent", "gateway"]);
  });

  it("may echo the close of the gateway", async () => {
    const stage = await startStage();
    const { agent, sessionId, played, action } = await openSession(stage, { caseCount: 2 });
    agent.reply(sessionId, "move");
    await action;
    played.finish();
    await agent.waitForControl("session_close");
    agent.say({ type: "session_close", session_id: sessionId });
    const next = await stage.nextCase();
    void next.policy.infer(Buffer.from("look"));
    await agent.waitForFrame();
    agent.reply(next.policy.sessionId, "move");
    await stage.waitForEvent("reply", 2);
    expect(stage.find("ignored_control")).toEqual([]);
  });
});
