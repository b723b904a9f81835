import { describe, expect, it } from "vitest";
import { listAttempts } from "../../src/gateway/records/attempts.ts";
import { type CaseState, listCases, markCase } from "../../src/gateway/records/cases.ts";
import { jobStatus } from "../../src/gateway/records/jobs.ts";
import { findOutcome, giveOrder } from "../../src/gateway/records/orders.ts";
import { deleteUser } from "../../src/gateway/records/users.ts";
import { makeErrorEnvelope } from "../../src/payload/error-envelope.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { type Contestant, logIn, makeEchoBoard, useChallenge, waitForEnd } from "../support/challenge.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const startAgent = useAgents();
const action = pack(makeAction());
const now = new Date();

type Submitted = Awaited<ReturnType<Contestant["submit"]>>;

function serve(job: Submitted, handle: () => Promise<Uint8Array> = async () => action) {
  return startAgent({
    ...{ gatewayUrl: job.tunnel_endpoint, jobUuid: job.uuid, token: job.job_token },
    handler: makePlainHandler({ handle }),
  });
}

/** A job of so many cases that has failed, since its agent answers nothing but errors. */
async function startWithFailedJob(cases: number, attempts: number) {
  const values = { boards: { instruction: makeEchoBoard(cases) }, case_attempts: attempts, parallelism: 1 };
  const gateway = await challenge.host(values);
  const user = await challenge.addUser();
  const ann = await logIn(gateway.apiUrl);
  const records = challenge.openRecords();
  const job = await ann.submit();
  serve(job, async () => makeErrorEnvelope("no weights"));
  await waitForEnd(ann, job.id);
  await waitFor(() => gateway.find("job_ended").length > 0, { what: "agents that have left" });
  const listStates = () => listCases(records, job.id).map(({ state }) => state);
  const order = async (...ids: number[]) => {
    const orders = records.together(() => ids.map((id) => giveOrder(records, "requeue", id, now)));
    await waitFor(() => orders.every((id) => findOutcome(records, id) !== undefined), { what: "outcomes" });
    return orders.map((id) => findOutcome(records, id));
  };
  return { gateway, values, user, ann, records, job, listStates, order };
}

/** Puts the cases of a job into these states, as several agents at once could have left them. */
function arrange(
  { records, job }: Pick<Awaited<ReturnType<typeof startWithFailedJob>>, "records" | "job">,
  states: readonly CaseState[],
) {
  const ids = listCases(records, job.id).map(({ id }) => id);
  for (const [at, state] of states.entries()) {
    const score = state === "done" ? 0.25 : null;
    markCase(records, ids[at] as number, state, { score, steps: null, at: now });
  }
  return ids as [number, number, number];
}

describe("a case that is requeued", () => {
  it("brings all others along that did not end well, so that its job can succeed", async () => {
    const stage = await startWithFailedJob(4, 1);
    const [first] = arrange(stage, ["failed", "failed", "cancelled", "done"]);
    expect(await stage.order(first)).toEqual([`case ${first} waits for an agent of job ${stage.job.id}`]);
    expect(stage.listStates()).toEqual(["waiting", "waiting", "waiting", "done"]);
    serve(stage.job);
    expect(await waitForEnd(stage.ann, stage.job.id)).toMatchObject({
      status: 2,
      score: (1 + 1 + 1 + 0.25) / 4,
    });
  });

  it("may have ended well, and is played again when it was named", async () => {
    const stage = await startWithFailedJob(3, 1);
    const [first, second, third] = arrange(stage, ["done", "done", "failed"]);
    const waits = (id: number) => `case ${id} waits for an agent of job ${stage.job.id}`;
    expect(await stage.order(third, first)).toEqual([waits(third), waits(first)]);
    expect(stage.listStates()).toEqual(["waiting", "done", "waiting"]);
    expect(await stage.order(second)).toEqual([
      `job ${stage.job.id} is still live: requeue the case when it has ended`,
    ]);
    serve(stage.job);
    expect(await waitForEnd(stage.ann, stage.job.id)).toMatchObject({ status: 2, score: 0.75 });
  });

  it("may fail as often again as a new one, also after a restart", async () => {
    const stage = await startWithFailedJob(2, 3);
    const { gateway, values, records, job, ann } = stage;
    const failed = listCases(records, job.id).find(({ state }) => state === "failed")?.id as number;
    await stage.order(failed);
    await gateway.stop(0);
    await challenge.host(values);
    let asked = 0;
    serve(job, async () => {
      asked += 1;
      return asked <= 2 ? makeErrorEnvelope("a hiccup") : action;
    });
    await waitFor(() => records.find("SELECT 1 FROM jobs WHERE status = 2"), {
      what: "a job that succeeded",
    });
    expect(listAttempts(records, job.id).filter(({ caseId }) => caseId === failed).length).toBeGreaterThan(3);
    expect(stage.listStates()).toEqual(["done", "done"]);
    expect(ann.token).toBeTruthy();
  });

  it("is played where a gateway has just started that still bids the agents of its job farewell", async () => {
    const stage = await startWithFailedJob(2, 1);
    await stage.gateway.stop(0);
    const { find } = await challenge.host(stage.values);
    const failed = listCases(stage.records, stage.job.id).find(({ state }) => state === "failed")
      ?.id as number;
    await stage.order(failed);
    serve(stage.job);
    await waitForEnd(stage.ann, stage.job.id);
    expect(stage.listStates()).toEqual(["done", "done"]);
    await waitFor(() => find("job_ended").length > 0, { what: "agents that have left" });
    expect(find("job_ended")).toMatchObject([{ outcome: "succeeded" }]);
  });

  it("stays as it is where the user of its job was deleted", async () => {
    const stage = await startWithFailedJob(2, 1);
    const [first] = arrange(stage, ["failed", "cancelled"]);
    deleteUser(stage.records, stage.user.id, now);
    expect(await stage.order(first)).toEqual([`the user of job ${stage.job.id} was deleted`]);
    expect(stage.listStates()).toEqual(["failed", "cancelled"]);
  });
});

describe("a job whose user is deleted", () => {
  const findEnd = (records: ReturnType<typeof challenge.openRecords>, id: number) =>
    waitFor(() => records.find("SELECT status, end_reason FROM jobs WHERE id = ? AND status > 1", id), {
      what: "the end of the job",
    });
  const deleted = { status: jobStatus.stopped, end_reason: "its user was deleted" };

  it("ends when a gateway starts, whatever was ordered", async () => {
    const gateway = await challenge.host();
    const user = await challenge.addUser();
    const job = await (await logIn(gateway.apiUrl)).submit();
    await gateway.stop(0);
    const records = challenge.openRecords();
    deleteUser(records, user.id, now);
    await challenge.host();
    expect(await findEnd(records, job.id)).toMatchObject(deleted);
    expect(listCases(records, job.id).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });
});

describe("orders", () => {
  it("wait while something that happened is not on record yet, and are told what became of them once", async () => {
    const gateway = await challenge.host({ boards: { instruction: makeEchoBoard(2, 5_000) } });
    await challenge.addUser();
    const ann = await logIn(gateway.apiUrl);
    const job = await ann.submit();
    const records = challenge.openRecords();
    serve(job);
    await waitFor(async () => (await ann.findJob(job.id)).status === 1, { what: "a job that runs" });
    const id = giveOrder(records, "cancel", job.id, now);
    records.change("BEGIN IMMEDIATE");
    await waitFor(() => gateway.find("store_fault").length > 1, { what: "a gateway that cannot write" });
    expect(gateway.find("drain_sent")).toEqual([]);
    records.change("ROLLBACK");
    expect(await waitFor(() => findOutcome(records, id), { what: "the outcome" })).toBe(
      `job ${job.id} is stopped`,
    );
    expect(await waitForEnd(ann, job.id)).toMatchObject({ status: 3 });
  });
});
