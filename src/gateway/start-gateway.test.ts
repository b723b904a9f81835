import { describe, expect, it } from "vitest";
import { dialReady, openSession, startStage } from "../../test/support/gateway-stage.ts";
import { startLinkProxy } from "../../test/support/link-proxy.ts";
import { dialRaw } from "../../test/support/raw-agent.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { pauseSync } from "../base/clock.ts";

describe("a gateway", () => {
  it("plays a case over an agent, and drains it", async () => {
    const stage = await startStage();
    const job = stage.addJob({
      simulator: async (policy) => {
        for (let step = 0; step < 3; step += 1) await policy.infer(Buffer.from(`look ${step}`));
        return { score: 1, steps: 3 };
      },
    });
    const agent = await dialRaw(stage, job);
    agent.serve((payload) => payload);
    expect(await job.ended).toEqual({
      outcome: "succeeded",
      cases: [
        { agentId: agent.agentId, spec: { task: "pick", index: 0, seed: 0 }, result: { score: 1, steps: 3 } },
      ],
    });
    expect(agent.controls.map(({ type }) => type)).toEqual([
      "warmup",
      "session_open",
      "session_close",
      "drain",
    ]);
    expect(await agent.closed).toMatchObject({ code: 1000 });
  });

  it("gives a job its token, and opens to no other", async () => {
    const stage = await startStage();
    const [job, other] = [stage.addJob(), stage.addJob({ uuid: "chosen" })];
    expect(() => stage.addJob({ uuid: "chosen" })).toThrow(expect.objectContaining({ code: "job_exists" }));
    const refusals = [
      await dialRaw(stage, job, { token: other.token }),
      await dialRaw(stage, job, { token: "" }),
      await dialRaw(stage, { uuid: "unknown", token: job.token }),
    ];
    for (const { closed } of refusals) {
      expect(await closed).toMatchObject({
        code: 401,
        body: '{"status":"error","error":"no token of this job"}',
      });
    }
    expect(stage.find("refused").map(({ why }) => why)).toEqual(["bad_token", "bad_token", "bad_token"]);
    expect(JSON.stringify(stage.events)).not.toContain(job.token);
  });

  it("serves nothing but tunnels", async () => {
    const stage = await startStage();
    const job = stage.addJob();
    const page = await fetch(stage.tunnelUrl.replace("ws:", "http:"));
    expect([page.status, await page.json()]).toEqual([404, { status: "error", error: expect.any(String) }]);
    const elsewhere = { tunnelUrl: stage.tunnelUrl.replace("tunnel", "elsewhere") };
    expect(await (await dialRaw(elsewhere, job)).closed).toMatchObject({ code: 404 });
    expect(await (await dialRaw(stage, job, { agentId: "a".repeat(65) })).closed).toMatchObject({
      code: 400,
    });
  });

  it("takes its agents neither for silent nor for lost when it was paused itself", async () => {
    const stage = await startStage({ timers: { pingMs: 50, readDeadlineMs: 1_000, windowMs: 1_000 } });
    const job = stage.addJob({ caseCount: 2 });
    const [stays, away] = [await dialReady(stage, job), await dialReady(stage, job)];
    await stage.waitForEvent("session_opened", 2);
    away.webSocket.terminate();
    await stage.waitForEvent("link_closed");
    const pongs = () => stage.find("agent_pong").filter(({ agentId }) => agentId === stays.agentId);
    const before = pongs().length;
    pauseSync(1_500);
    await waitFor(() => pongs().length > before + 2, { what: "answers to pings" });
    const back = await dialRaw(stage, job, { agentId: away.agentId });
    await back.waitForControl("resume");
    expect([stage.find("link_closed").length, stage.find("window_expired")]).toEqual([1, []]);
  });
});

describe("stopping a gateway", () => {
  it("waits for agents that drain, and takes no more jobs", async () => {
    const stage = await startStage();
    const { agent, job, played } = await openSession(stage);
    const stopped = stage.stop(10_000);
    expect(() => stage.addJob()).toThrow(expect.objectContaining({ code: "gateway_stopped" }));
    await agent.waitForControl("drain");
    agent.webSocket.close(1000);
    played.fail(new Error("told so"));
    await stopped;
    expect((await job.ended).cases).toMatchObject([{ failure: "cancelled" }]);
    await stage.stop(0);
  });

  it("cuts off within its grace an agent that stays, one that is half-open, one away, and a simulator that hangs", async () => {
    const stage = await startStage({ timers: { windowMs: 10_000, drainMs: 10_000, readDeadlineMs: 10_000 } });
    const job = stage.addJob({ caseCount: 3 });
    const proxy = await startLinkProxy(Number(new URL(stage.tunnelUrl).port));
    const stays = await dialReady(stage, job);
    const away = await dialReady(stage, job);
    const frozen = await dialReady({ ...stage, tunnelUrl: proxy.route(stage.tunnelUrl) }, job);
    await stage.waitForEvent("session_opened", 3);
    proxy.freeze();
    away.webSocket.terminate();
    await stage.waitForEvent("link_closed");
    const startMs = performance.now();
    await stage.stop(200);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(await stays.closed).toMatchObject({ code: 1001, reason: "the gateway is stopping" });
    expect((await job.ended).cases.map(({ failure }) => failure)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
    await expect(fetch(stage.tunnelUrl.replace("ws:", "http:"))).rejects.toThrow();
    frozen.webSocket.terminate();
    await proxy.close();
  });
});
