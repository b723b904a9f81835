import { expect, it } from "vitest";
import { systemClock } from "../base/clock.ts";
import { gatewayFlags, gatewayTimers } from "./gateway-options.ts";
import { JobRun } from "./job-run.ts";
import { JobTable } from "./job-table.ts";

const host = { flags: gatewayFlags, timers: gatewayTimers, clock: systemClock, report: () => undefined };
const simulator = () => Promise.resolve({ score: 1, steps: 1 });
const makeRun = (uuid: string, caseCount = 1) => {
  const cases = Array.from({ length: caseCount }, (_, index) => ({ task: "pick", index, seed: 0 }));
  return new JobRun(uuid, `token of ${uuid}`, { owner: "ann", parallelism: 1, cases, simulator }, host);
};

it("opens a job with its own token alone, as long as it lives and after that", async () => {
  const jobs = new JobTable();
  const [run, other] = [makeRun("a"), makeRun("b")];
  jobs.add(run);
  jobs.add(other);
  expect(jobs.find("a", "token of a")).toBe(run);
  expect([jobs.find("a", "token of b"), jobs.find("c", "token of a")]).toEqual([undefined, undefined]);
  expect(() => jobs.add(makeRun("a"))).toThrow(expect.objectContaining({ code: "job_exists" }));
  run.drain();
  await run.ended;
  expect([jobs.find("a", "token of a"), jobs.find("a", "token of b")]).toEqual(["ended", undefined]);
  expect([...jobs.live]).toEqual([other]);
  expect(() => jobs.add(makeRun("a"))).toThrow(expect.objectContaining({ code: "job_exists" }));
});

it("forgets the oldest of very many jobs that have ended, so that a gateway can run for ever", async () => {
  const jobs = new JobTable();
  const runs = Array.from({ length: 1_003 }, (_, number) => makeRun(String(number), 0));
  for (const run of runs) {
    jobs.add(run);
    await run.ended;
  }
  expect([...jobs.live]).toEqual([]);
  const known = runs.filter(({ uuid }) => jobs.find(uuid, `token of ${uuid}`) === "ended");
  expect(known.map(({ uuid }) => uuid)).toEqual(runs.slice(3).map(({ uuid }) => uuid));
});
