import { describe, expect, it } from "vitest";
import { dialReady, openSession, startStage } from "../support/gateway-stage.ts";
import { dialRaw } from "../support/raw-agent.ts";

describe("T14 two agents with one id", () => {
  it("closes the second one at once and leaves the first one alone", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId } = await openSession(stage);
    const second = await dialRaw(stage, job, { agentId: agent.agentId });
    expect(await second.closed).toEqual({
      code: 4002,
      reason: expect.stringContaining(`agent ${agent.agentId}`),
    });
    expect(second.controls).toEqual([]);
    agent.reply(sessionId, "move");
    expect(Buffer.from(await action).toString()).toBe("move");
  });

  it("lets one id serve two jobs", async () => {
    const stage = await startStage();
    const one = await dialReady(stage, stage.addJob());
    const other = await dialReady(stage, stage.addJob(), { agentId: one.agentId });
    await stage.waitForEvent("session_opened", 2);
    expect(other.webSocket.readyState).toBe(1);
  });
});

describe("T15 more agents than the cap allows", () => {
  it("closes the one too many at once, until a slot is free", async () => {
    const stage = await startStage();
    const job = stage.addJob({ parallelism: 2 });
    const { agent } = await openSession(stage, { parallelism: 1 });
    await dialReady(stage, job);
    const idle = await dialReady(stage, job);
    await idle.waitForControl("queued");
    const third = await dialRaw(stage, job);
    expect(await third.closed).toEqual({ code: 4001, reason: "2 agents are connected, 2 may be" });
    expect(stage.find("refused")).toMatchObject([{ why: "over_cap", agentId: third.agentId }]);
    idle.webSocket.close(1000);
    await stage.waitForEvent("link_closed");
    const again = await dialRaw(stage, job, { agentId: third.agentId });
    await again.waitForControl("warmup");
    expect(agent.webSocket.readyState).toBe(agent.webSocket.OPEN);
  });

  it("says nothing of it in silence", async () => {
    const stage = await startStage({ flags: { closeCodes: "silent" } });
    const job = stage.addJob({ parallelism: 0 });
    expect(await (await dialRaw(stage, job)).closed).toEqual({ code: 1005, reason: "" });
  });

  it("counts by job, or over all jobs of an owner", async () => {
    const dialTwice = async (capScope: "job" | "user") => {
      const stage = await startStage({ flags: { capScope } });
      const dials = ["ann", "ann", "bob"].map((owner) =>
        dialRaw(stage, stage.addJob({ parallelism: 1, owner })),
      );
      const agents = await Promise.all(dials);
      await stage.waitForEvent("dialed", capScope === "job" ? 3 : 2);
      return stage.find("refused").filter(({ agentId }) => agents.some((agent) => agent.agentId === agentId));
    };
    expect(await dialTwice("job")).toEqual([]);
    expect(await dialTwice("user")).toMatchObject([{ why: "over_cap" }]);
  });
});
