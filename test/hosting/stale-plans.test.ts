import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { listCases, markCase, scoreLate } from "../../src/gateway/records/cases.ts";
import {
  insertJob,
  jobStatus,
  markEnded,
  markRunning,
  markStopping,
} from "../../src/gateway/records/jobs.ts";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { findUserByEmail, insertUser } from "../../src/gateway/records/users.ts";
import type { Store } from "../../src/store/store.ts";
import { startGatewayProcess, writeGatewayConfig } from "../support/gateway-process.ts";
import { useSortie } from "../support/sortie.ts";

const sortie = useSortie();
const now = new Date();
const ask = (...words: string[]) => sortie.ask(["gateway", ...words]);
const change = <Result>(work: (records: Store) => Result): Result => {
  const records = openRecords(join(sortie.project(), "data"));
  try {
    return work(records);
  } finally {
    records.close();
  }
};
const addJob = (uuid: string) =>
  change((records) =>
    insertJob(
      records,
      {
        ...{ uuid, userId: findUserByEmail(records, "amy@example.org")?.id ?? 0, board: "manip", name: uuid },
        ...{ modelName: "m", parallelism: 4, tokenHash: Buffer.from(uuid), quotaDay: "2026-11-29" },
        cases: [0, 1].map((index) => ({ task: "one", taskId: 1, index, seed: index })),
      },
      now,
    ),
  );
/** A job that ended, whose cases are as they are said to be. */
const addEnded = (...states: readonly ["done" | "failed" | "cancelled", number | null][]) => {
  const id = addJob("ended");
  change((records) => {
    for (const [at, row] of listCases(records, id).entries()) {
      const [state, score] = states[at] ?? ["done", 1];
      markCase(records, row.id, state, { score, steps: 3, at: now });
    }
    const isWell = states.every(([state]) => state === "done");
    const status = isWell ? jobStatus.succeeded : jobStatus.failed;
    markEnded(records, id, { status, reason: null, score: null }, now);
  });
};
const editConfig = (from: string, to: string) => {
  const file = join(sortie.project(), "gateway.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
};

beforeEach(() => {
  writeGatewayConfig(sortie, "quota: { jobs_per_day: 9 }\n");
  change((records) =>
    insertUser(records, { email: "amy@example.org", name: "Amy", passwordHash: "none", quota: 5 }, now),
  );
});

const amy = "amy@example.org";
const setQuota = (value: string) => ask("user", "quota", amy, value, "--yes");

describe("L55 a plan is stale where what it told has changed:", () => {
  it.each([
    ["the quota", ["user", "quota", amy, "7"], () => setQuota("6"), "the user's quota is 6 now, and was 5"],
    [
      "the quota, back to the configured one",
      ["user", "quota", amy, "7"],
      () => setQuota("default"),
      "the user's quota is the configured one now, and was 5",
    ],
    [
      "the configured quota",
      ["user", "quota", amy, "default"],
      () => editConfig("jobs_per_day: 9", "jobs_per_day: 1"),
      "gateway.yaml gives 1 job a day now, and gave 9 jobs a day",
    ],
    [
      "the configured quota of a new user",
      ["user", "add", "bob@example.org"],
      () => editConfig("jobs_per_day: 9", "jobs_per_day: 10"),
      "gives 10 jobs a day now",
    ],
    [
      "the parallelism",
      ["user", "parallelism", amy, "2"],
      () => ask("user", "parallelism", amy, "3", "--yes"),
      "the user's parallelism is 3 now, and was the configured one",
    ],
    [
      "the password",
      ["user", "passwd", amy],
      () => ask("user", "passwd", amy, "--yes"),
      "the password was changed",
    ],
    ["the live jobs", ["user", "rm", amy], () => addJob("u1"), "has the live job 1 now, and had no live job"],
    [
      "the simulator of a board",
      ["simulator", "add", "manip"],
      () => editConfig("simulator: reach", "simulator: outside"),
      "the simulator of board manip is outside now, and was reach",
    ],
  ] as const)("%s", async (_, words, meanwhile, told) => {
    const { plan } = await ask(...words);
    await meanwhile();
    const stale = await sortie.ask(["confirm", plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain(told);
  });

  it("a job that is stopped by another, though not one whose first case began", async () => {
    addJob("u1");
    const { plan } = await ask("cancel", "1");
    const again = await ask("cancel", "1");
    change((records) => markRunning(records, 1, now));
    expect(await sortie.ask(["confirm", plan.id])).toMatchObject({ exit: 0 });
    change((records) => markStopping(records, 1, "stopped by the organiser"));
    const stale = await sortie.ask(["confirm", again.plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain("job 1 is stopping, and was live");
  });

  it.each([
    ["c2", (records: Store) => markCase(records, 1, "failed"), "case 1 is failed too"],
    ["c2", (records: Store) => scoreLate(records, 2, 0.5), "case 2 has a score now: 0.5"],
    ["1", (records: Store) => markCase(records, 2, "waiting"), "case 2 is waiting"],
    [
      "c2",
      (records: Store) => records.change("UPDATE cases SET attempts = attempts + 1"),
      "case 2 was played once more",
    ],
  ] as const)("cases of requeue %s", async (wanted, meanwhile, told) => {
    addEnded(["done", 1], ["done", null]);
    const { plan } = await ask("requeue", wanted);
    change(meanwhile);
    const stale = await sortie.ask(["confirm", plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain(told);
  });
});

describe("a case that ended without a score", () => {
  it("is played again where that is asked for, and the plan says so", async () => {
    addEnded(["done", 1], ["done", null]);
    expect((await ask("requeue", "c1")).error.message).toContain("case c1 is done, with a score");
    const { plan } = await ask("requeue", "1");
    expect(plan.terms).toMatchObject({ cases: [2], others: [] });
    expect(plan.sideEffects[0]).toBe(
      "play again of job 1 what ended well and got no score; one that still came for it would not count: c2 (one 1)",
    );
    const gateway = await startGatewayProcess(sortie);
    expect((await sortie.ask(["confirm", plan.id])).orders).toMatchObject([
      { outcome: "case 2 waits for an agent of job 1" },
    ]);
    expect((await ask("jobs", "1")).cases).toMatchObject([{ state: "done", score: 1 }, { state: "waiting" }]);
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
  });

  it("waits for its score where others of the job failed", async () => {
    addEnded(["failed", null], ["done", null]);
    expect((await ask("requeue", "1")).plan.terms).toMatchObject({ cases: [1], others: [] });
  });

  it("is nothing to play again where all have a score", async () => {
    addEnded(["done", 1], ["done", 0.5]);
    expect((await ask("requeue", "1")).error.message).toContain("no case of job 1 failed or has no score");
  });
});
