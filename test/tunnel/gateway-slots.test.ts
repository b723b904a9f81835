import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { makePlainHandler, useAgents, waitForError } from "../support/agents.ts";
import { dialReady, openSession, startStage } from "../support/gateway-stage.ts";
import { dialRaw } from "../support/raw-agent.ts";

const startAgent = useAgents();

describe("T14 two agents with one id", () => {
  it("closes the second one at once and leaves the first one alone", async () => {
    const stage = await startStage();
    const { agent, job, action, sessionId } = await openSession(stage);
    const second = await dialRaw(stage, job, { agentId: agent.agentId });
    const { code, reason } = await second.closed;
    expect([code, reason]).toEqual([4002, expect.stringContaining(`as agent ${agent.agentId}`)]);
    const { _socket: socket } = agent.webSocket as unknown as { _socket: Socket };
    const [, owner, since] = /^live from (\S+) since (.+ UTC) /.exec(reason) ?? [];
    expect(owner).toBe(`127.0.0.1:${socket.localPort}`);
    const dialedMs = stage.find("dialed")[0]?.at.getTime() ?? Number.NaN;
    expect(Math.abs(Date.parse(since ?? "") - dialedMs)).toBeLessThan(2_000);
    expect(second.controls).toEqual([]);
    agent.reply(sessionId, "move");
    expect(Buffer.from(await action).toString()).toBe("move");
  });

  it("is told by our agent with the pair and its owner", async () => {
    const stage = await startStage();
    const { agent, job } = await openSession(stage);
    const second = startAgent({
      ...{ gatewayUrl: stage.tunnelUrl, jobUuid: job.uuid, token: job.token, handler: makePlainHandler() },
      agentId: agent.agentId,
      timers: { redialBudgetMs: 120 },
    });
    const { code, message } = await waitForError(second);
    expect(code).toBe("pair_taken");
    expect(message).toContain(`agent ${agent.agentId} of job ${job.uuid}`);
    expect(message).toMatch(/: live from 127\.0\.0\.1:\d+ since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
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
