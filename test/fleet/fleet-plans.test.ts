import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changeRun, listLiveRuns, listRuns } from "../../src/runs/run-store.ts";
import { confirmAction } from "../../src/supervise/actions/confirm-action.ts";
import { loadPattern } from "../../src/supervise/fleet/find-fleet-changes.ts";
import { listFleets } from "../../src/supervise/fleet/fleet-store.ts";
import { recordFleet } from "../../src/supervise/fleet/make-seats.ts";
import { lookAtFleet } from "../../src/supervise/fleet/show-fleet.ts";
import { stopFleet } from "../../src/supervise/fleet/stop-fleet.ts";
import { makeFakeUuid } from "../support/fake-gpus.ts";
import { useFleetStage } from "../support/fleet-stage.ts";

const stage = useFleetStage();
type Fixture = Awaited<ReturnType<typeof stage.submit>>;

it("names all that is missing at once, each with the command that gives it", async () => {
  const { desk } = await stage.submit();
  stage.writeState({});
  const nothing = stage.plan(desk, { handler: undefined });
  await expect(nothing).rejects.toMatchObject({
    ...{ code: "fleet_needs", exit: 2 },
    message: expect.stringMatching(/JOB_UUID, CHALLENGE_TOKEN, PARALLELISM, what the agents run/),
    hint: expect.stringMatching(/sortie challenge submit.*sortie challenge login.*example_inference:handle/s),
  });
  mkdirSync(join(stage.sortie.project(), "scripts"));
  writeFileSync(join(stage.sortie.project(), "scripts", "tunnel.sh"), "#!/bin/sh\n");
  await expect(stage.plan(desk, { handler: undefined })).rejects.toMatchObject({
    code: "fleet_runner_missing",
  });
});

it("takes what the challenge knows where the state file has no word of it", async () => {
  const { desk, job } = await stage.submit({ parallelism: 3 });
  stage.writeState({ CHALLENGE_TOKEN: job.login });
  const { terms } = await stage.plan(desk, { jobUuid: job.uuid, agents: null });
  expect(terms).toMatchObject({ k: 3, parallelism: 3, gpusFree: 4, gpusLeftOut: [{ index: 3 }] });
  expect(terms.endpoint).toBe(`${job.api.replace("http", "ws")}/api/challenge/tunnel`);
  stage.writeState({ CHALLENGE_TOKEN: job.login, JOB_UUID: job.uuid, PARALLELISM: 0 });
  expect((await stage.plan(desk, { agents: null })).terms).toMatchObject({ k: 3, parallelism: 3 });
  await expect(stage.plan(desk, { jobUuid: randomUUID() })).rejects.toMatchObject({
    code: "challenge_job_unknown",
  });
});

it("is a plan that tells everything but the token, and leaves out what is not free", async () => {
  const { desk, job, machine } = await stage.submit({ parallelism: 4 });
  machine.setProcesses([{ gpuUuid: makeFakeUuid(1), pid: process.pid }]);
  const plan = await stage.plan(desk, { agents: null });
  expect(plan.terms).toMatchObject({ k: 3, parallelism: 4, gpusFree: 3, jobUuid: job.uuid });
  expect(plan.terms.gpus.map(({ index }) => index)).toEqual([0, 2, 3]);
  expect(plan.notes).toEqual(
    expect.arrayContaining(
      [
        expect.stringMatching(/^3 of the 4 agents/),
        expect.stringMatching(/^GPU 1 is left out: used by process/),
        "the job: waiting for an agent",
      ].map((note, place) => (place === 2 ? expect.stringMatching(/^the job: /) : note)),
    ),
  );
  const text = JSON.stringify(desk.store.list("SELECT body FROM plans"));
  for (const secret of [job.token, job.login]) expect(text).not.toContain(secret);
  expect(listFleets(desk.store)).toEqual([]);
});

it("starts in an environment under contract only once that is built and has shown that it works", async () => {
  const { desk } = await stage.submit({ gpus: 1, parallelism: 1 });
  const spec = {
    smoke: { import_names: ["json"], gpu_tests: [{ cmd: "echo $CUDA_VISIBLE_DEVICES", expect: "GPU-" }] },
  };
  writeFileSync(join(stage.sortie.project(), "env-spec.json"), JSON.stringify(spec));
  const refuse = (reason: RegExp) =>
    expect(stage.plan(desk, { agents: 1 })).rejects.toMatchObject({
      ...{ code: "environment_due", message: expect.stringMatching(reason) },
    });
  const act = (words: readonly string[]) =>
    stage.sortie.run(["env", ...words, "--target", "local", "--yes", "--json"], { env: desk.env });
  await refuse(/not there yet/);
  expect((await act(["build"])).exitCode).toBe(0);
  await refuse(/tier 2/);
  expect((await act(["verify"])).exitCode).toBe(0);
  const plan = await stage.plan(desk, { agents: 1 });
  const { environment } = loadPattern(desk, plan.terms).terms;
  expect(environment.contract).toMatchObject({ action: "reuse", due: [] });
  expect(environment.lines.join("\n")).toContain("VIRTUAL_ENV");
});

it.each<[what: string, change: (fixture: Fixture) => unknown, changes: RegExp]>([
  [
    "a GPU was taken",
    ({ machine }) => machine.setProcesses([{ gpuUuid: makeFakeUuid(1), pid: process.pid }]),
    /GPU 1 is not free any more/,
  ],
  [
    "the GPUs are counted otherwise",
    ({ machine }) => machine.setGpus([{ uuid: makeFakeUuid(1) }, { uuid: makeFakeUuid(0) }]),
    /GPU 0 is GPU 1 now/,
  ],
  [
    "the code was changed",
    () => writeFileSync(join(stage.sortie.project(), "new.py"), "1\n"),
    /the (files|code|folder)/,
  ],
])("is stale once %s, and nothing was done", async (_, change, changes) => {
  const fixture = await stage.submit({ gpus: 2, parallelism: 2 });
  const plan = await stage.plan(fixture.desk);
  change(fixture);
  const confirmed = confirmAction(fixture.desk, plan.id);
  await expect(confirmed).rejects.toMatchObject({
    code: "plan_stale",
    message: expect.stringMatching(changes),
  });
  expect(listRuns(fixture.desk.store)).toEqual([]);
});

it("looks at the code once where nobody has thought the plan over: in some folders a file changes all the time", async () => {
  const { desk } = await stage.submit({ gpus: 2, parallelism: 2 });
  const plan = await stage.plan(desk);
  writeFileSync(join(stage.sortie.project(), "new.log"), "1\n");
  const { outcome } = await confirmAction(desk, plan.id, { secrets: {}, justMade: true });
  expect(outcome.document).toMatchObject({ fleet: { k: 2 } });
  await stopFleet(desk, null, { graceS: 1, force: true });
});

it("leaves nothing that could start where its launcher died before the agents stood in line", async () => {
  const { desk } = await stage.submit({ gpus: 2, parallelism: 2 });
  const { terms } = await stage.plan(desk);
  const { jobUuid, endpoint, parallelism, baseUrl } = terms as {
    [Key in keyof typeof terms]: NonNullable<(typeof terms)[Key]>;
  };
  const other = await stage.plan(desk);
  const job = { jobUuid, endpoint, parallelism, baseUrl };
  const {
    fleet: { runs },
  } = recordFleet(desk, terms, job, loadPattern(desk, terms));
  const another = () => recordFleet(desk, other.terms, job, loadPattern(desk, other.terms));
  expect(another).toThrow(expect.objectContaining({ code: "fleet_live" }));
  await expect(confirmAction(desk, other.id)).rejects.toMatchObject({
    code: "plan_stale",
    message: expect.stringContaining("has a live fleet already"),
  });
  for (const id of runs) changeRun(desk.store, id, { launcher: { ...desk.identity, start: "1" } });
  const fleet = await lookAtFleet(desk, null);
  expect(fleet).toMatchObject({ state: "ended", outcome: { isDrained: false } });
  expect(fleet.agents.map(({ state }) => state)).toEqual(["failed", "failed"]);
  expect(listLiveRuns(desk.store)).toEqual([]);
});
