import { describe, expect, test } from "vitest";
import { platformFlags } from "../../src/gateway.ts";
import { makePlainHandler, TOKEN, useAgents } from "../support/agents.ts";
import { makeHeldHandler, startTunnelStage } from "../support/tunnel-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();
const bytes = (text: string) => Buffer.from(text);
const ask = async (policy: { infer(bytes: Uint8Array): Promise<Uint8Array> }, text: string) =>
  Buffer.from(await policy.infer(bytes(text))).toString();

/** A hundredth of the real times, of which a loaded machine needs some: 450 ms of silence, 300 ms of window. */
const gatewayTimers = { pingMs: 200, readDeadlineMs: 450, windowMs: 300 };

describe("T16 a link that is cut, and back inside the window", () => {
  test("goes on with its session: none is opened again, nothing is warmed up again, and the case ends well", async () => {
    const { job, proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {
      timers: { windowMs: 3_000 },
    });
    const agent = start({ timers: { redialBudgetMs: 5_000 } });
    const played = await nextCase();
    expect(await ask(played.policy, "one")).toBe("reply to one");
    proxy.onDial("reset");
    proxy.cut();
    await agent.waitForState("redialing");
    const waiting = ask(played.policy, "two");
    await waitFor(() => proxy.dialed > 3); // for a while nobody is reached
    proxy.onDial("pass");
    expect(await waiting).toBe("reply to two");
    played.finish();
    expect((await job.ended).cases[0]).toMatchObject({ result: { score: 1 } });
    for (const type of ["session_opened", "warmup_sent"] as const) expect(stage.find(type)).toHaveLength(1);
    expect(stage.find("dialed").map(({ resumed }) => resumed)).toEqual([false, true]);
    const { report, outcome } = await agent.agent.ended;
    expect([outcome, report.redials, report.sessions]).toEqual(["drained", 1, 1]);
    expect(agent.handler.calls.filter((call) => call === "load")).toHaveLength(1);
  });
});

describe("T17 a link that is cut, and back after the window", () => {
  test("loses its case; the pair is refused, and a fresh id goes on with the next one", async () => {
    const { job, proxy, stage, start, nextCase } = await startTunnelStage(
      startAgent,
      { timers: gatewayTimers },
      { caseCount: 2 },
    );
    const agent = start();
    const { agentId } = agent.agent;
    const first = await nextCase();
    first.signal.addEventListener("abort", () => first.fail(new Error("the session is lost")));
    proxy.onDial("reset");
    proxy.cut();
    await stage.waitForEvent("window_expired");
    proxy.onDial("pass");
    expect(await stage.waitForEvent("refused")).toMatchObject({ why: "pair_expired", agentId });
    const second = await nextCase();
    expect(await ask(second.policy, "x")).toBe("reply to x");
    expect(agent.agent.agentId).not.toBe(agentId);
    second.finish();
    const lost = { failure: "tunnel_lost", detail: expect.stringContaining("reconnect window expired") };
    expect((await job.ended).cases).toMatchObject([lost, { result: { score: 1 } }]);
    expect((await agent.agent.ended).outcome).toBe("drained");
    expect(agent.handler.calls.filter((call) => call === "load")).toHaveLength(1);
  });

  test("and so it does where the gateway refuses without a word, once the budget is spent", async () => {
    const { proxy, stage, start, nextCase } = await startTunnelStage(
      startAgent,
      { timers: gatewayTimers, flags: platformFlags },
      { caseCount: 2 },
    );
    const agent = start({ timers: { overCapMs: 60_000 } });
    const { agentId } = agent.agent;
    const first = await nextCase();
    first.signal.addEventListener("abort", () => first.fail(new Error("the session is lost")));
    proxy.onDial("reset");
    proxy.cut();
    await stage.waitForEvent("window_expired");
    proxy.onDial("pass");
    const second = await nextCase();
    expect(await ask(second.policy, "x")).toBe("reply to x");
    expect(agent.agent.agentId).not.toBe(agentId);
    expect(stage.find("refused").every(({ why }) => why === "pair_expired")).toBe(true);
    expect(agent.log()).not.toContain("waits for its turn");
  });

  test("and where no fresh id gets through either, it ends with the next step", async () => {
    const { proxy, start, nextCase } = await startTunnelStage(startAgent, { timers: gatewayTimers });
    const agent = start({ timers: { redialBudgetMs: 100, freshIdMs: 50 } });
    await nextCase();
    proxy.onDial("reset");
    proxy.cut();
    const { outcome, error } = await agent.agent.ended;
    expect([outcome, error?.code, error?.exit]).toEqual(["failed", "redials_spent", 1]);
    expect(error?.hint).toContain("`sortie challenge quota`");
  });
});

describe("T19 a cut between the handler and its reply", () => {
  test("sends the reply that was kept over the next link, and the gateway takes it once", async () => {
    const { proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {
      timers: { windowMs: 3_000 },
    });
    const { handler, isBusy, letGo } = makeHeldHandler();
    const agent = start({ handler });
    const { policy } = await nextCase();
    const action = ask(policy, "one");
    await isBusy();
    proxy.onDial("reset");
    proxy.cut();
    await agent.waitForState("redialing");
    await letGo();
    await waitFor(() => agent.events.some(({ type }) => type === "frame"));
    proxy.onDial("pass");
    expect(await action).toBe("reply to one");
    const next = ask(policy, "two");
    await letGo();
    expect(await next).toBe("reply to two");
    expect(stage.find("reply").map(({ asked }) => asked)).toEqual([true, true]);
    expect(handler.calls.filter((call) => call.startsWith("handle "))).toHaveLength(2);
  });

  test("and so does a reply that was lost on its way", async () => {
    const { proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {
      timers: { windowMs: 3_000 },
    });
    const agent = start();
    const { policy } = await nextCase();
    proxy.pause("up");
    const action = ask(policy, "one");
    await waitFor(() => agent.events.some(({ type }) => type === "frame"));
    proxy.cut();
    proxy.resume();
    expect(await action).toBe("reply to one");
    expect(await ask(policy, "two")).toBe("reply to two");
    expect(stage.find("reply").map(({ asked }) => asked)).toEqual([true, true]);
    expect((await agent.agent.stop()).report).toMatchObject({ resent: 1, replies: 2 });
  });
});

test("T14 a second agent with the same id is refused, waits its turn, and names the pair; the first is undisturbed", async () => {
  const { proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {}, { caseCount: 2 });
  const first = start({ agentId: "the-same" });
  const { policy } = await nextCase();
  const before = proxy.dialed;
  const second = start({ agentId: "the-same", timers: { redialBudgetMs: 300 } });
  const { outcome, error } = await second.agent.ended;
  expect([outcome, error?.code]).toEqual(["failed", "pair_taken"]);
  // Whom to stop: the address and the time of the one that is connected.
  expect(error?.message).toMatch(
    /agent the-same of job .*: live from 127\.0\.0\.1.* since \d{4}-\d\d-\d\d [\d:]+ UTC/,
  );
  // No faster than its pauses, which double from 5 to 50 ms.
  expect(proxy.dialed - before).toBeLessThan(20);
  expect(stage.find("refused").every(({ why }) => why === "duplicate")).toBe(true);
  expect(await ask(policy, "x")).toBe("reply to x");
  expect(first.agent.state).toBe("running");
  expect(second.handler.calls).toEqual(["stop"]);
});

test("T15 a third agent of two waits over the cap, and joins when a slot is free", async () => {
  const { stage, start, nextCase } = await startTunnelStage(
    startAgent,
    { timers: { windowMs: 300 } },
    { parallelism: 2, caseCount: 3 },
  );
  const agents = [start(), start()];
  await nextCase();
  await nextCase();
  const third = start({ timers: { overCapMs: 80, redialBudgetMs: 50 } });
  await waitFor(() => stage.find("refused").length >= 3);
  expect(stage.find("refused").every(({ why }) => why === "over_cap")).toBe(true);
  expect(third.log()).toContain("this one waits for its turn");
  expect(third.agent.state).toBe("starting");
  await agents[0]?.agent.stop();
  await third.waitForState("running");
});

test("an agent over the cap whose job ends meanwhile says so", async () => {
  const { job, stage, start, nextCase } = await startTunnelStage(startAgent, {}, { parallelism: 1 });
  const first = start();
  const played = await nextCase();
  const second = start({ timers: { overCapMs: 40 } });
  await stage.waitForEvent("refused");
  played.finish();
  await job.ended;
  const { outcome, error } = await second.agent.ended;
  expect([outcome, error?.code, error?.exit]).toEqual(["failed", "tunnel_job_ended", 1]);
  expect(`${error?.message} ${error?.hint}`).toMatch(/the job has ended/);
  expect(error?.hint).not.toContain("token");
  expect((await first.agent.ended).outcome).toBe("drained");
});

describe("T28 a half-open link", () => {
  test("is noticed by the agent, refused while the gateway holds the old one, and resumed after that", async () => {
    const { proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {
      timers: { pingMs: 200, readDeadlineMs: 2_000, windowMs: 10_000 },
    });
    const timers = { pingMs: 100, pongMs: 60, redialBudgetMs: 10_000, pairLiveMs: 10_000 };
    const agent = start({ timers });
    const { policy } = await nextCase();
    expect(await ask(policy, "one")).toBe("reply to one");
    proxy.freeze();
    const action = ask(policy, "two");
    await agent.waitForLine(/nothing came within [\d.]+ s after a ping/);
    expect(await action).toBe("reply to two");
    expect(stage.find("refused").map(({ why }) => why)).toContain("duplicate");
    expect(agent.log()).toContain("the gateway still takes the old link for live");
    expect(stage.find("dialed").map(({ resumed }) => resumed)).toEqual([false, true]);
    const { report } = await agent.agent.stop();
    expect([report.sessions, report.redials]).toEqual([1, 1]);
  });
});

test("T35 an agent with a login token that expired: one refresh, and a second 401 ends it with the four causes", async () => {
  const { job, proxy, stage, start, nextCase } = await startTunnelStage(startAgent, {
    timers: { windowMs: 3_000 },
  });
  let refreshes = 0;
  const refreshToken = async () => {
    refreshes += 1;
    return refreshes === 1 ? job.token : "expired-again";
  };
  const agent = start({ token: TOKEN, refreshToken, timers: { stableMs: 60_000 } });
  const { policy } = await nextCase();
  expect(await ask(policy, "x")).toBe("reply to x");
  expect(stage.find("refused").map(({ why }) => why)).toEqual(["bad_token"]);
  job.drain();
  expect((await agent.agent.ended).outcome).toBe("drained");

  const wrong = start({
    token: TOKEN,
    refreshToken: async () => "expired-again",
    handler: makePlainHandler(),
  });
  const { error, outcome } = await wrong.agent.ended;
  expect([outcome, error?.code, error?.exit]).toEqual(["failed", "tunnel_unauthorized", 1]);
  for (const cause of ["token is missing", "job", "has ended", "another job"])
    expect(error?.hint).toContain(cause);
  expect(proxy.dialed).toBe(4);
});
