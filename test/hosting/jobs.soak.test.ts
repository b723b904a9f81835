import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { listCases, markCase } from "../../src/gateway/records/cases.ts";
import { insertJob, jobStatus, markEnded } from "../../src/gateway/records/jobs.ts";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { insertUser } from "../../src/gateway/records/users.ts";
import type { Store } from "../../src/store/store.ts";
import { startGatewayProcess, writeGatewayConfig } from "../support/gateway-process.ts";
import { useSortie } from "../support/sortie.ts";

const sortie = useSortie();
beforeEach(() => void writeGatewayConfig(sortie));

const ask = (...words: string[]) => sortie.ask(["gateway", ...words]);
const now = new Date();

const withRecords = <Result>(work: (records: Store) => Result): Result => {
  const records = openRecords(join(sortie.project(), "data"));
  try {
    return work(records);
  } finally {
    records.close();
  }
};
const addUser = (records: Store, email: string) =>
  insertUser(records, { email, name: email, passwordHash: "none" }, now);
const addJob = (records: Store, userId: number, uuid: string, board = "manip") =>
  insertJob(
    records,
    {
      ...{ uuid, userId, board, name: `job ${uuid}`, modelName: "m", parallelism: 4 },
      ...{ tokenHash: Buffer.from(uuid), quotaDay: "2026-11-29" },
      cases: [0, 1].map((index) => ({ task: "one", taskId: 1, index, seed: index })),
    },
    now,
  );
/** A job whose first case failed, and which ended by it. */
const addFailedJob = (records: Store) => {
  const id = addJob(records, addUser(records, "amy@example.org").id, "u1");
  const [first, second] = listCases(records, id);
  markCase(records, first?.id ?? 0, "failed", { score: null, steps: null, at: now });
  markCase(records, second?.id ?? 0, "cancelled");
  markEnded(records, id, { status: jobStatus.failed, reason: "a case failed", score: null }, now);
};

describe("jobs", () => {
  it("are listed by board, user and state, also those of a user who was deleted", async () => {
    withRecords((records) => {
      const [amy, bob] = ["amy@example.org", "bob@example.org"].map((email) => addUser(records, email).id);
      addJob(records, amy as number, "u1");
      addJob(records, bob as number, "u2", "kitchen");
      const third = addJob(records, amy as number, "u3");
      markEnded(records, third, { status: jobStatus.succeeded, reason: null, score: 0.5 }, now);
    });
    const list = async (...flags: string[]) =>
      (await ask("jobs", ...flags)).jobs.map(({ id }: { id: number }) => id);
    await ask("user", "rm", "bob@example.org", "--yes");
    expect(await list()).toEqual([3, 2, 1]);
    expect(await list("--board", "kitchen")).toEqual([2]);
    expect(await list("--user", "BOB@example.org")).toEqual([2]);
    expect(await list("--state", "live", "--user", "amy@example.org")).toEqual([1]);
    expect(await list("--state", "ended")).toEqual([3]);
    expect((await ask("jobs", "u3")).job).toMatchObject({ id: 3, state: "succeeded", score: 0.5 });
    expect((await ask("jobs", "3", "--board", "manip")).error.code).toBe("usage");
    expect((await ask("jobs", "--user", "amyy@example.org")).error.message).toContain(
      "mean amy@example.org?",
    );
  });

  it("of a user who has the address of a deleted one are that user's, and both where asked for", async () => {
    withRecords((records) => void addJob(records, addUser(records, "amy@example.org").id, "u1"));
    await ask("user", "rm", "amy@example.org", "--yes");
    withRecords((records) => void addJob(records, addUser(records, "amy@example.org").id, "u2"));
    const list = async (...flags: string[]) =>
      (await ask("jobs", ...flags)).jobs.map(({ id }: { id: number }) => id);
    expect(await list("--user", "amy@example.org")).toEqual([2]);
    expect(await list("--user", "amy@example.org", "--former")).toEqual([2, 1]);
    expect((await ask("jobs", "--former")).error.code).toBe("usage");
  });

  it("by the ten thousand are a page of the newest, and all where asked for", async () => {
    withRecords((records) => {
      const { id } = addUser(records, "amy@example.org");
      records.together(() => {
        for (let count = 0; count < 10_000; count += 1) addJob(records, id, `u${count}`);
      });
    });
    const shown = (await sortie.run(["gateway", "jobs"])).stdout.trim().split("\n");
    expect(shown).toHaveLength(32);
    expect(shown.at(-1)).toBe("… and 9970 older ones: sortie gateway jobs --all");
    expect((await sortie.run(["gateway", "jobs", "--all"])).stdout.trim().split("\n")).toHaveLength(10_001);
  });
});

describe("cases that failed", () => {
  it("are named in a plan, and wait for the gateway's next start", async () => {
    withRecords(addFailedJob);
    const planned = await ask("requeue", "1");
    expect(planned.plan.terms).toMatchObject({ job: 1, cases: [1], others: [2] });
    expect(planned.plan.sideEffects).toEqual([
      "play again of job 1: c1 (one 0)",
      "play with them what else failed or was cancelled, since a job needs all of its cases: c2 (one 1)",
      "open job 1 anew where it has ended; its score is made anew",
    ]);
    expect((await ask("requeue", "c2")).error.message).toContain("case c2 is cancelled");
    expect((await ask("requeue", "c9")).error.code).toBe("gateway_case_unknown");
    const done = await sortie.ask(["confirm", planned.plan.id]);
    expect(done).toMatchObject({ exit: 0, running: false, orders: [{ outcome: null }] });
    const gateway = await startGatewayProcess(sortie);
    const { job, cases } = await ask("jobs", "1");
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
    expect(job).toMatchObject({ state: "ready", endReason: null });
    expect(cases).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
  });

  it("stay as they are where their user was deleted", async () => {
    withRecords(addFailedJob);
    const planned = await ask("requeue", "1");
    await ask("user", "rm", "amy@example.org", "--yes");
    expect((await ask("requeue", "1")).error).toMatchObject({ code: "nothing_to_requeue" });
    expect((await sortie.ask(["confirm", planned.plan.id])).error).toMatchObject({ code: "plan_stale" });
  });

  it("wait again all at once, where several of a job failed", async () => {
    withRecords((records) => {
      addFailedJob(records);
      markCase(records, 2, "failed", { score: null, steps: null, at: now });
    });
    const gateway = await startGatewayProcess(sortie);
    const done = await ask("requeue", "1", "--yes");
    const { cases } = await ask("jobs", "1");
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
    expect(done.orders.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "case 1 waits for an agent of job 1",
      "case 2 waits for an agent of job 1",
    ]);
    expect(cases).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
  });

  it("are played again at once by a gateway that runs, unless they have been meanwhile", async () => {
    withRecords(addFailedJob);
    const late = await ask("requeue", "c1");
    const gateway = await startGatewayProcess(sortie);
    const done = await ask("requeue", "u1", "--yes");
    expect(done.orders).toMatchObject([{ outcome: "case 1 waits for an agent of job 1" }]);
    const stale = await sortie.ask(["confirm", late.plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain("case 1 is waiting");
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
  });
});
