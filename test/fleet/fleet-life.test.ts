import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { confirmAction } from "../../src/supervise/actions/confirm-action.ts";
import { stopFleet } from "../../src/supervise/fleet/stop-fleet.ts";
import { makeFakeUuid } from "../support/fake-gpus.ts";
import { useFleetStage } from "../support/fleet-stage.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { waitFor } from "../support/wait-for.ts";

const stage = useFleetStage();
const makeSlow = () => writeFileSync(join(stage.sortie.project(), "slow"), "");
const countLoading = () => {
  const words = stage.readJournal().map((line) => line.split(" ")[0]);
  return words.filter((word) => word === "load").length - words.filter((word) => word === "up").length;
};
const readLoads = (number: number) =>
  stage
    .readJournal()
    .map((line) => line.split(" "))
    .filter(([word, of]) => word === "load" && of === String(number))
    .map(([, , agentId = "", pid = "", gpu = ""]) => ({ agentId, pid: Number(pid), gpu }));

it("T44 loads one agent at a time, each on a GPU of its own, and plays the job to its end", async () => {
  const { desk, contestant, job } = await stage.submit({ cases: 16, steps: 5 });
  makeSlow();
  await stage.launch(desk);
  let most = 0;
  for (const number of [1, 2, 3, 4]) {
    await waitFor(() => readLoads(number).length === 1, {
      timeoutMs: 20_000,
      what: `the load of agent ${number}`,
    });
    most = Math.max(most, countLoading());
    stage.open(number);
  }
  expect(most).toBe(1);
  const ended = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end of the fleet");
  expect(ended).toMatchObject({ cause: "drained", outcome: { isDrained: true, others: [] } });
  expect([1, 2, 3, 4].map((number) => readLoads(number)[0]?.gpu)).toEqual([0, 1, 2, 3].map(makeFakeUuid));
  expect(new Set([1, 2, 3, 4].map((number) => readLoads(number)[0]?.agentId)).size).toBe(4);
  expect(ended.agents.reduce((sum, { sessions }) => sum + (sessions ?? 0), 0)).toBe(16);
  expect(await contestant.findJob(job.id)).toMatchObject({ status: 2 });
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
});

it("T46 starts an agent that was killed again, with its own id inside the window", async () => {
  const { desk } = await stage.submit({ gpus: 2, parallelism: 2, cases: 2, steps: 60 });
  makeSlow();
  await stage.launch(desk);
  await waitFor(() => readLoads(1).length === 1, { timeoutMs: 20_000, what: "the load" });
  process.kill(readLoads(1)[0]?.pid ?? 0, "SIGKILL");
  const waiting = await stage.waitForFleet(desk, ({ agents }) => agents[0]?.restarts === 1, "the restart");
  expect(waiting.agents[0]?.note).toMatch(/killed by signal 9/);
  expect(waiting.agents[0]?.note).not.toMatch(/memory/);
  expect(waiting.agents[1]).toMatchObject({ state: "waiting" });
  stage.open(1, 2);
  const up = await stage.waitForFleet(
    desk,
    ({ agents }) =>
      agents.every(({ state }) => state === "running") && agents.some(({ inFlight }) => inFlight === 1),
    "a case in flight, with both agents up",
  );
  expect(readLoads(1)).toHaveLength(2);
  expect(readLoads(1)[1]?.agentId).toBe(readLoads(1)[0]?.agentId);
  expect(up.agents[0]).toMatchObject({ attempt: 2, state: "running" });

  await expect(stopFleet(desk, null, { graceS: 3, force: false })).rejects.toMatchObject({
    code: "fleet_stop_live",
    details: expect.objectContaining({ lost: expect.stringMatching(/^\d cases? in flight \(agents? \d/) }),
  });
  const began = performance.now();
  const stopped = await stopFleet(desk, null, { graceS: 3, force: true });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(stopped.fleet).toMatchObject({ state: "ended", cause: expect.stringContaining("stopped by") });
  expect(stopped.survivors).toEqual([]);
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of the watcher" });
  await expect(stage.plan(desk)).rejects.toMatchObject({
    code: "fleet_window",
    message: expect.stringContaining(up.agents[0]?.run ?? ""),
  });
});

it("starts no further agent where the first ends before it is ready", async () => {
  const { desk, job } = await stage.submit({ gpus: 2, parallelism: 2 });
  writeFileSync(
    join(stage.sortie.project(), "broken.mjs"),
    "export const load = () => { throw new Error('no') };\nexport const handle = (s, f) => f;\n",
  );
  const plan = await stage.plan(desk, { handler: "broken.mjs", agents: null });
  expect(plan.sideEffects[0]).toBe(`2 agents against ${job.uuid} at ${plan.terms.endpoint}, one GPU each`);
  expect(JSON.stringify(plan)).not.toContain(job.token);
  await confirmAction(desk, plan.id);
  await expect(confirmAction(desk, plan.id)).rejects.toMatchObject({ code: "plan_used" });
  const ended = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end");
  expect(ended.agents.map(({ state }) => state)).toEqual(["failed", "stopped"]);
  expect(ended.outcome?.others.map(({ number, why }) => `${number} ${why}`).join()).toMatch(
    /1 .*,2 it was not started: the first agent ended before it was ready/,
  );
});
