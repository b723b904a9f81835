import { expect, it } from "vitest";
import { systemClock } from "../base/clock.ts";
import { gatewayFlags, gatewayTimers } from "./gateway-flags.ts";
import { JobRun } from "./job-run.ts";
import { JobTable } from "./job-table.ts";
import { hashToken } from "./job-token.ts";
import { Scheduler } from "./scheduler.ts";
import type { Tunnel } from "./tunnel.ts";

const host = {
  ...{ flags: gatewayFlags, timers: gatewayTimers, clock: systemClock, report: () => undefined },
  scheduler: new Scheduler<Tunnel>(),
  closing: new AbortController().signal,
};
const ownSeat = { boards: [], play: () => Promise.resolve({ score: 1, steps: 1 }) };
const makeRun = (uuid: string, caseCount = 1) => {
  const cases = Array.from({ length: caseCount }, (_, index) => ({ task: "pick", index, seed: 0 }));
  const tokenHash = hashToken(`token of ${uuid}`);
  const run = new JobRun({ uuid, tokenHash, owner: "ann", parallelism: 1, cases, ownSeat }, host);
  run.start();
  return run;
};

it("opens a job with its own token alone, as long as it lives and after that", async () => {
  const jobs = new JobTable();
  const [run, other] = [makeRun("a"), makeRun("b")];
  jobs.add(run);
  jobs.add(other);
  expect(jobs.find("a", { token: "token of a" })).toBe(run);
  expect([jobs.find("a", { token: "token of b" }), jobs.find("c", { token: "token of a" })]).toEqual([
    undefined,
    undefined,
  ]);
  expect(() => jobs.add(makeRun("a"))).toThrow(expect.objectContaining({ code: "job_exists" }));
  run.drain();
  await run.ended;
  expect([jobs.find("a", { token: "token of a" }), jobs.find("a", { token: "token of b" })]).toEqual([
    "ended",
    undefined,
  ]);
  expect([...jobs.live]).toEqual([other]);
  expect(() => jobs.add(makeRun("a"))).toThrow(expect.objectContaining({ code: "job_exists" }));
});

it("lets a job begin anew, whatever is left of its last run", async () => {
  const jobs = new JobTable();
  const [first, second] = [makeRun("a"), makeRun("a")];
  jobs.add(first);
  jobs.forget("a");
  jobs.add(second);
  await first.ended;
  expect(jobs.find("a", { token: "token of a" })).toBe(second);
  second.drain();
  await second.ended;
  jobs.forget("a");
  expect(jobs.find("a", { token: "token of a" })).toBeUndefined();
});

it("opens a job to its owner's login too, and to nobody else's", () => {
  const jobs = new JobTable();
  const run = makeRun("a");
  jobs.add(run);
  const find = (owner?: string) => jobs.find("a", { token: "a login", owner });
  expect([find("ann"), find("bob"), find()]).toEqual([run, undefined, undefined]);
});

it("forgets the oldest of very many jobs that have ended, so that a gateway can run for ever", async () => {
  const jobs = new JobTable();
  const runs = Array.from({ length: 1_003 }, (_, number) => makeRun(String(number), 0));
  for (const run of runs) {
    jobs.add(run);
    await run.ended;
  }
  expect([...jobs.live]).toEqual([]);
  const known = runs.filter(({ uuid }) => jobs.find(uuid, { token: `token of ${uuid}` }) === "ended");
  expect(known.map(({ uuid }) => uuid)).toEqual(runs.slice(3).map(({ uuid }) => uuid));
});
