import { describe, expect, it } from "vitest";
import { makeLoginToken } from "../../src/gateway/accounts/login-token.ts";
import { findNewestFailure, listAttempts } from "../../src/gateway/records/attempts.ts";
import { listCases } from "../../src/gateway/records/cases.ts";
import { findOutcome, giveOrder } from "../../src/gateway/records/orders.ts";
import { loadSigningKey } from "../../src/gateway/records/settings.ts";
import { changePassword, deleteUser } from "../../src/gateway/records/users.ts";
import { makeErrorEnvelope } from "../../src/payload/error-envelope.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { type Contestant, logIn, makeEchoBoard, useChallenge, waitForEnd } from "../support/challenge.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const startAgent = useAgents();
const action = pack(makeAction());

type Submitted = Awaited<ReturnType<Contestant["submit"]>>;

/** An agent of a job, which answers as it is told; each observation by a good action unless told otherwise. */
function serve(
  job: Submitted,
  handle: () => Promise<Uint8Array> = async () => action,
  token = job.job_token,
) {
  const handler = makePlainHandler({ handle });
  return startAgent({ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token, handler });
}

async function startWith(values: Parameters<typeof challenge.host>[0] = {}) {
  const gateway = await challenge.host(values);
  await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  return { gateway, ann, records: challenge.openRecords() };
}

async function order(
  records: ReturnType<typeof challenge.openRecords>,
  ...what: [kind: "cancel" | "requeue" | "dismiss", subject: number]
) {
  const id = giveOrder(records, ...what, new Date());
  return waitFor(() => findOutcome(records, id), { what: "the outcome of an order" });
}

describe("a job of a hosted gateway", () => {
  it("goes from waiting for an agent to its score, and its agents go home", async () => {
    const { ann } = await startWith();
    const job = await ann.submit();
    expect(await ann.findJob(job.id)).toMatchObject({ status: 0, detailed_status: "pending" });
    const { agent } = serve(job);
    expect(await waitForEnd(ann, job.id)).toMatchObject({
      status: 2,
      detailed_status: "completed",
      progress: { done: 2, total: 2 },
      score: 1,
    });
    expect((await agent.ended).outcome).toBe("drained");
    expect((await ann.get("/best-score?board=instruction")).body).toEqual({
      status: "ok",
      score: 1,
      rank: 1,
    });
  });

  it("begins a case again that failed, and says nothing of it in the score", async () => {
    const { ann, records } = await startWith();
    const job = await ann.submit();
    let asked = 0;
    serve(job, async () => {
      asked += 1;
      return asked === 2 ? makeErrorEnvelope("out of memory") : action;
    });
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(
      listCases(records, job.id)
        .map(({ attempts }) => attempts)
        .sort(),
    ).toEqual([1, 2]);
    expect(findNewestFailure(records, job.id)).toMatchObject({
      failureReason: 1,
      detail: expect.stringContaining("out of memory"),
    });
  });

  it("fails when a case was begun as often as it may be; what had not begun is cancelled", async () => {
    const boards = { instruction: makeEchoBoard(4) };
    const { ann, records } = await startWith({ boards, case_attempts: 2, parallelism: 1 });
    const job = await ann.submit();
    const { agent } = serve(job, async () => makeErrorEnvelope("no weights"));
    expect(await waitForEnd(ann, job.id)).toMatchObject({
      status: 4,
      detailed_status: "failed",
      score: null,
    });
    expect(listCases(records, job.id).filter(({ state }) => state === "failed")).toHaveLength(1);
    expect(listCases(records, job.id).filter(({ state }) => state === "cancelled")).toHaveLength(3);
    expect((await ann.get(`/job/${job.id}/log`)).body).toMatchObject({ status: 1, failure_reason: 1 });
    expect((await agent.ended).outcome).toBe("drained");
  });

  it("takes a case from an agent that does not answer, by reason 3", async () => {
    const { ann, records } = await startWith({ simulators: { reply_timeout: "1s" } });
    const job = await ann.submit();
    const silent = serve(job, () => new Promise(() => undefined));
    await waitFor(() => findNewestFailure(records, job.id), { what: "a case that was taken away" });
    await silent.agent.stop();
    serve(job);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(findNewestFailure(records, job.id)).toMatchObject({
      failureReason: 3,
      detail: "the agent did not answer within 1 s",
    });
  });

  it("gives a case whose agent stays away to another one, by reason 9", async () => {
    const { ann, records } = await startWith({
      timers: { ping: "1s", read_deadline: "2s", window: "1s", drain: "20s" },
    });
    const job = await ann.submit();
    const lost = await dialRaw({ tunnelUrl: job.tunnel_endpoint }, { uuid: job.uuid, token: job.job_token });
    await lost.waitForControl("warmup");
    lost.say({ type: "ready" });
    await lost.waitForFrame();
    lost.webSocket.terminate();
    serve(job);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(findNewestFailure(records, job.id)).toMatchObject({
      agentId: lost.agentId,
      failureReason: 9,
      detail: "reconnect window expired",
    });
  });
});

describe("an organiser", () => {
  it("stops a job: its agents are drained, and what had not begun is cancelled", async () => {
    const { ann, records } = await startWith({ boards: { instruction: makeEchoBoard(20, 5_000) } });
    const job = await ann.submit();
    const { agent } = serve(job);
    await waitFor(async () => (await ann.findJob(job.id)).status === 1, { what: "a job that runs" });
    expect(await order(records, "cancel", job.id)).toBe(`job ${job.id} is stopped`);
    expect(await waitForEnd(ann, job.id)).toMatchObject({
      status: 3,
      detailed_status: "completed",
      end_reason: "stopped by the organiser",
    });
    expect((await agent.ended).outcome).toBe("drained");
    expect(await order(records, "cancel", job.id)).toBe(`job ${job.id} had ended already`);
  });

  it("has a failed case played again, and the job with it", async () => {
    const { ann, records } = await startWith({ case_attempts: 1 });
    const job = await ann.submit();
    serve(job, async () => makeErrorEnvelope("no weights"));
    await waitForEnd(ann, job.id);
    const [failed] = listCases(records, job.id).filter(({ state }) => state === "failed");
    expect(await order(records, "requeue", failed?.id as number)).toContain("waits for an agent");
    expect(await ann.findJob(job.id)).toMatchObject({ status: 0, end_reason: null, ended_at: null });
    serve(job);
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 2, score: 1 });
    expect(await order(records, "requeue", 99)).toBe("there is no case 99");
  });

  it("deletes a user in the middle of a job: it stops, and the login is over", async () => {
    const { ann, records } = await startWith({ boards: { instruction: makeEchoBoard(20, 5_000) } });
    const job = await ann.submit();
    const { agent } = serve(job);
    await waitFor(async () => (await ann.findJob(job.id)).status === 1, { what: "a job that runs" });
    records.together(() => {
      deleteUser(records, 1, new Date());
      giveOrder(records, "dismiss", 1, new Date());
    });
    expect((await agent.ended).outcome).toBe("drained");
    expect((await ann.get("/jobs")).status).toBe(401);
    const row = await waitFor(() => records.find("SELECT status FROM jobs WHERE status = 3"), {
      what: "its end",
    });
    expect(row["status"]).toBe(3);
  });
});

describe("a dial", () => {
  it("may bring the owner's login instead of the job's token, while it is good", async () => {
    const { gateway, ann, records } = await startWith();
    const bob = await challenge.addUser("bob@example.org");
    const job = await ann.submit();
    const key = loadSigningKey(records);
    const dial = async (token: string) => {
      const agent = await dialRaw({ tunnelUrl: gateway.tunnelUrl }, { uuid: job.uuid, token });
      return agent.webSocket.readyState === agent.webSocket.OPEN ? "open" : (await agent.closed).code;
    };
    expect(await dial((await logIn(gateway.apiUrl, bob.email)).token)).toBe(401);
    expect(await dial(await makeLoginToken(key, { id: 1, passwordAge: 0 }, new Date(0)))).toBe(401);
    expect(await dial("a.b.c")).toBe(401);
    expect(await dial(ann.token)).toBe("open");
    changePassword(records, 1, "another hash");
    expect(await dial(ann.token)).toBe(401);
  });
});

describe("seats that users share", () => {
  it("are dealt out in turn, however many jobs one of them has", async () => {
    const boards = { instruction: makeEchoBoard(3, 1) };
    const { gateway, ann, records } = await startWith({ boards, simulators: { workers: 1 } });
    const bob = await challenge.addUser("bob@example.org");
    const jobs = [await ann.submit(), await ann.submit(), await ann.submit()];
    const other = await (await logIn(gateway.apiUrl, bob.email)).submit();
    const all = [...jobs, other];
    for (const job of all) {
      serve(job, async () => {
        // Nobody is done before everybody has come.
        await waitFor(
          () => records.find("SELECT COUNT(*) AS n FROM agents WHERE state = 'running'")?.["n"] === 4,
        );
        return action;
      });
    }
    for (const job of jobs) await waitForEnd(ann, job.id);
    const begun = [...jobs, other].flatMap(({ id }) => listAttempts(records, id));
    const order = begun.sort((a, b) => a.id - b.id).map(({ jobId }) => jobId);
    // Every second case is bob's as long as he has any: nobody's many jobs push another's aside.
    expect(order.slice(0, 6).filter((id) => id === other.id).length).toBeGreaterThanOrEqual(2);
  });
});

it("two gateways on one data folder: the second one refuses", async () => {
  await challenge.host();
  await expect(challenge.host({ listen: "127.0.0.1:0" })).rejects.toMatchObject({
    code: "gateway_running",
    exit: 5,
  });
});
