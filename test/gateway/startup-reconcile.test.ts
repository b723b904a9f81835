import { describe, expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { writeSetting } from "../../src/gateway/records/settings.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makePlainHandler, patientTimers, useAgents } from "../support/agents.ts";
import { type ConfigValues, logIn, makeEchoBoard, useChallenge, waitForEnd } from "../support/challenge.ts";
import type { GatewayProcess } from "../support/gateway-process.ts";
import { dialRaw, type RawAgent } from "../support/raw-agent.ts";
import { waitFor } from "../support/wait-for.ts";

const STEPS = 4;

const challenge = useChallenge();
const startAgent = useAgents();
const action = pack(makeAction());
const values = {
  boards: { instruction: makeEchoBoard(1, STEPS) },
  timers: { ping: "1s", read_deadline: "20s", window: "3s", drain: "20s" },
};

/** A job whose only case is being played by a raw agent, which has given so many answers and holds the next observation. */
async function startInMidCase(answers: number, own: ConfigValues = values) {
  const gateway = await challenge.start(own);
  await challenge.addUser();
  const ann = await logIn(gateway.api);
  const records = challenge.openRecords();
  const job = await ann.submit();
  const dial = (agentId?: string) =>
    dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token }, { agentId });
  const agent = await dial();
  await agent.waitForControl("warmup");
  agent.say({ type: "ready" });
  const { session_id: sessionId = "" } = await agent.waitForControl("session_open");
  for (let given = 0; given < answers; given += 1) await answer(agent, sessionId);
  const asked = await agent.waitForFrame();
  return { gateway, ann, records, job, dial, agent, sessionId, asked };
}

async function answer(agent: RawAgent, sessionId: string) {
  await agent.waitForFrame();
  agent.reply(sessionId, action);
}

async function kill(gateway: GatewayProcess) {
  gateway.kill("SIGKILL");
  await gateway.exitCode;
}

describe("T27 a gateway that was killed in the middle of a case", () => {
  it.each([0, 1, STEPS - 1])("goes on with the agent behind %i answers", async (answers) => {
    const { gateway, ann, records, job, dial, agent, sessionId, asked } = await startInMidCase(answers);
    await kill(gateway);
    await agent.closed;
    await challenge.start(values);
    const back = await dial(agent.agentId);
    expect(await back.waitForControl("resume")).toMatchObject({
      session_id: sessionId,
      replies: answers,
      resend: true,
    });
    const again = await back.waitForFrame();
    expect(again.sid).toBe(sessionId);
    expect(again.payload.equals(asked.payload)).toBe(true);
    back.reply(sessionId, action);
    for (let left = answers + 1; left < STEPS; left += 1) await answer(back, sessionId);
    await back.waitForControl("session_close");
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(back.controls.some(({ type }) => type === "session_open" || type === "warmup")).toBe(false);
    expect(listAttempts(records, job.id)).toMatchObject([{ sessionId, number: 1, failureReason: 0 }]);
  });

  it("goes on on the platform's terms too, where nothing is ever sent again", async () => {
    const platform = { ...values, behaviour: "field" };
    const { gateway, ann, job, dial, agent, sessionId } = await startInMidCase(1, platform);
    await kill(gateway);
    await agent.closed;
    await challenge.start(platform);
    const back = await dial(agent.agentId);
    for (let left = 1; left < STEPS; left += 1) await answer(back, sessionId);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(back.controls.some(({ type }) => type === "session_open" || type === "resume")).toBe(false);
  });

  it("takes an answer that was on its way exactly once", async () => {
    const { gateway, ann, records, job, dial, agent, sessionId } = await startInMidCase(1);
    agent.reply(sessionId, action);
    await kill(gateway);
    await agent.closed;
    await challenge.start(values);
    const back = await dial(agent.agentId);
    const { replies } = await back.waitForControl("resume");
    // Whether it arrived in time is the network's affair; the gateway says what it has, and the agent goes by that.
    const kept = records.find("SELECT COUNT(*) AS n FROM replies WHERE session_id = ?", sessionId)?.["n"];
    expect(replies).toBe(kept);
    for (let left = Number(replies); left < STEPS; left += 1) await answer(back, sessionId);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  });

  it("gives the case to another agent where the first one stays away, by reason 9", async () => {
    const { gateway, ann, records, job, dial, agent } = await startInMidCase(1);
    await kill(gateway);
    await agent.closed;
    await challenge.start(values);
    const other = await dial();
    other.serve(() => action);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(listAttempts(records, job.id)).toMatchObject([
      { number: 2, agentId: other.agentId, failureReason: 0 },
      { number: 1, agentId: agent.agentId, failureReason: 9, detail: "startup reconcile" },
    ]);
    expect((await ann.get(`/job/${job.id}/log`)).body).toMatchObject({
      failure_reason: 9,
      result: { error: "startup reconcile" },
    });
  });

  it("begins the case again where nobody was there for longer than an agent may be away", async () => {
    const { gateway, ann, records, job, dial, agent } = await startInMidCase(1);
    await kill(gateway);
    await agent.closed;
    writeSetting(records, "alive_at", new Date(Date.now() - 4_000).toISOString());
    await challenge.start(values);
    expect(listAttempts(records, job.id)).toMatchObject([{ failureReason: 9, detail: "startup reconcile" }]);
    const back = await dial(agent.agentId);
    back.serve(() => action);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(back.controls.map(({ type }) => type).slice(0, 2)).toEqual(["warmup", "session_open"]);
  });

  it("goes on where the clock was set back meanwhile", async () => {
    const { gateway, ann, records, job, dial, agent, sessionId } = await startInMidCase(1);
    await kill(gateway);
    await agent.closed;
    writeSetting(records, "alive_at", new Date(Date.now() + 86_400_000).toISOString());
    await challenge.start(values);
    const back = await dial(agent.agentId);
    await back.waitForControl("resume");
    for (let left = 1; left < STEPS; left += 1) await answer(back, sessionId);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2 });
  });
});

describe("a gateway that was killed between the end of a case and that of its job", () => {
  /** The state in which a kill leaves a job whose case has ended. */
  async function startBehind(state: "done" | "failed", jobState: number) {
    const { gateway, ann, records, job, dial } = await startInMidCase(0);
    await kill(gateway);
    records.change(
      "UPDATE attempts SET ended_at = '', failure_reason = ?, detail = 'no weights'",
      state === "done" ? 0 : 1,
    );
    records.change("UPDATE cases SET state = ?, score = ?", state, state === "done" ? 1 : null);
    records.change("UPDATE jobs SET status = ?", jobState);
    await challenge.start(values);
    return { ended: await waitForEnd(ann, job.id), dial };
  }

  it.each([
    ["done", 1, { status: 2, score: 1 }],
    ["failed", 1, { status: 4, score: null, end_reason: "no weights" }],
    ["done", 5, { status: 3, score: null }],
  ] as const)("ends the job as it should have: %s, %i", async (state, jobState, expected) => {
    const { ended, dial } = await startBehind(state, jobState);
    expect(ended).toMatchObject(expected);
    expect((await (await dial()).closed).code).toBe(401);
  });
});

it("tells an agent that it is drained, which may not have heard it before the gateway was killed", async () => {
  const { gateway, ann, records, job, dial, agent } = await startInMidCase(0);
  await waitFor(() => records.find("SELECT 1 FROM agents WHERE state = 'running'"), {
    what: "the agent on record",
  });
  await kill(gateway);
  await agent.closed;
  // As the kill leaves it right after the job has ended.
  records.change("UPDATE attempts SET ended_at = ''");
  records.change("UPDATE cases SET state = 'done', score = 1");
  records.change("UPDATE jobs SET status = 2, score = 1, ended_at = ?", new Date().toISOString());
  await challenge.start(values);
  const back = await dial(agent.agentId);
  await back.waitForControl("drain");
  back.webSocket.close(1000);
  expect((await (await dial()).closed).code).toBe(401);
  expect(await ann.findJob(job.id)).toMatchObject({ status: 2, score: 1 });
});

it("an agent of ours notices nothing but a cut when its gateway is killed and comes back", async () => {
  const gateway = await challenge.start({ ...values, boards: { instruction: makeEchoBoard(2, 20) } });
  await challenge.addUser();
  const ann = await logIn(gateway.api);
  const records = challenge.openRecords();
  const job = await ann.submit();
  const handler = makePlainHandler({ handle: async () => action });
  const { agent } = startAgent({
    ...{ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token: job.job_token, handler },
    timers: patientTimers,
  });
  await waitFor(() => handler.calls.filter((call) => call.startsWith("handle")).length > 4, {
    what: "a case that is played",
  });
  await kill(gateway);
  await challenge.start({ ...values, boards: { instruction: makeEchoBoard(2, 20) } });
  expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
  expect(await agent.ended).toMatchObject({ outcome: "drained", report: { sessions: 2, lost: 0 } });
  expect(listAttempts(records, job.id).map(({ failureReason }) => failureReason)).toEqual([0, 0]);
});

it("a gateway that is told to end lets what is played end, begins nothing, and leaves its jobs to the next one", async () => {
  const { gateway, ann, job, dial, agent, sessionId, records } = await startInMidCase(STEPS - 1);
  const late = await ann.submit("instruction", "late");
  gateway.kill("SIGTERM");
  const isLeaving = async () => {
    const { webSocket, closed } = await dial();
    if (webSocket.readyState !== webSocket.OPEN) return (await closed).code === 503;
    webSocket.terminate();
    return false;
  };
  await waitFor(isLeaving, { what: "a gateway that leaves" });
  // Who is in the middle of a session may still come back to it; nobody else is let in.
  agent.webSocket.terminate();
  const again = await dial(agent.agentId);
  await again.waitForControl("resume");
  expect((await (await dial()).closed).code).toBe(503);
  await answer(again, sessionId);
  expect(await gateway.exitCode).toBe(0);
  expect(listAttempts(records, job.id)).toMatchObject([{ failureReason: 0 }]);
  expect(await again.closed).toMatchObject({ code: 1001 });
  await challenge.start(values);
  const back = await dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: late.uuid, token: late.job_token });
  back.serve(() => action);
  expect(await waitForEnd(ann, late.id)).toMatchObject({ status: 2, score: 1 });
  expect((await (await dial()).closed).code).toBe(401);
});
