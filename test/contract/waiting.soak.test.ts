import { existsSync, renameSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { COUNT, useContractProject } from "../support/contract-project.ts";
import { setCupyFault, writeCupyWheel } from "../support/cupy-wheel.ts";
import { type FakeGpus, makeFakeGpus, makeFakeUuid } from "../support/fake-gpus.ts";
import { waitFor } from "../support/wait-for.ts";

const project = useContractProject();
let gpus: FakeGpus;
const TELL = ["sh", "-c", 'touch ran; echo "$CUDA_VISIBLE_DEVICES|$VIRTUAL_ENV"'];

beforeEach(() => {
  gpus = makeFakeGpus(project.temp());
});

const writeSpec = (more: object = {}) =>
  project.writeSpec({
    base: project.makeQuickBase(),
    pip_phases: [["--no-index", writeCupyWheel(project.temp())]],
    run_commands: [COUNT],
    ...more,
  });
const ask = (...args: string[]) => project.sortie.ask(args, { env: gpus.env });
const launch = (...flags: string[]) =>
  ask("run", "--target", "local", "--yes", "--detach", ...flags, "--", ...TELL);
const setBusy = (isBusy: boolean) =>
  gpus.changeGpu(0, { memoryUsed: isBusy ? 70_000 : 4, utilization: isBusy ? 90 : 0 });

describe("a run that waits for a GPU", () => {
  it("is built and imported when it is confirmed, and computes on its GPU when it has one", async () => {
    writeSpec();
    setBusy(true);
    const { run } = await launch("--wait-gpu");
    expect(run).toMatchObject({ state: "waiting" });
    expect(project.countBuilds()).toBe(1);
    expect(project.readTries()).toEqual(["1 passed"]);
    setBusy(false);
    const ended = await project.sortie.waitForState(run.id, ["succeeded", "failed"]);
    expect(ended).toMatchObject({ state: "succeeded", gpus: [makeFakeUuid(0)] });
    expect(project.readTries()).toEqual(["1 passed", "2 passed"]);
    expect(project.readRecords()[1]?.card?.uuid).toBe(makeFakeUuid(0));
    const logged = await project.sortie.run(["logs", run.id]);
    expect(logged.stdout.trim()).toBe(`${makeFakeUuid(0)}|${project.envs(project.readPointer())}`);
    expect(project.readLedger()).toContain("2 witness passed");
    expect(project.countBuilds()).toBe(1);
  });

  it("that it then cannot be trusted with ends as failed, with its reason, and nothing ran", async () => {
    writeSpec();
    setBusy(true);
    const { run } = await launch("--wait-gpu");
    setCupyFault(gpus, "no_kernel");
    setBusy(false);
    const ended = await project.sortie.waitForState(run.id, ["succeeded", "failed"]);
    expect(ended).toMatchObject({ state: "failed", endReason: "launch_failed" });
    expect(ended.evidence).toMatch(/tier 2 \(witness\) failed: .*no kernel image/);
    expect(ended.nextStep).toContain("sortie env ledger my-project --gotcha");
    expect(existsSync(project.inProject("ran"))).toBe(false);
    // The GPU is free for others.
    expect((await ask("gpus")).gpus[0]).toMatchObject({ state: "free" });
  });

  it("is not put in line where its imports fail, or where a document must be followed first", async () => {
    writeSpec({ smoke: { import_names: ["no_such_module"] } });
    setBusy(true);
    expect(await launch("--wait-gpu")).toMatchObject({
      exit: 5,
      error: { code: "environment_unverified", details: { tier: 1 } },
    });
    writeSpec();
    project.write("README.md", "```sh sortie-check\ntrue\n```\n");
    const refused = await launch("--wait-gpu");
    expect(refused).toMatchObject({ exit: 2, error: { code: "environment_due" } });
    expect(await ask("env", "verify", "--gpus", "none", "--yes")).toMatchObject({ exit: 0 });
    expect(await launch("--wait-gpu")).toMatchObject({ exit: 0, run: { state: "waiting" } });
  });

  it("may be stopped while its environment computes", async () => {
    writeSpec();
    setBusy(true);
    const { run } = await launch("--wait-gpu");
    setCupyFault(gpus, "hang");
    setBusy(false);
    await waitFor(async () => (await ask("gpus")).gpus[0].state === "leased", {
      timeoutMs: 30_000,
      what: "the witness",
    });
    expect(await ask("stop", run.id)).toMatchObject({ exit: 0 });
    await project.sortie.waitForState(run.id, ["stopped"]);
    await waitFor(async () => (await ask("gpus")).gpus[0].state === "free", {
      timeoutMs: 30_000,
      what: "its end",
    });
    expect(existsSync(project.inProject("ran"))).toBe(false);
  });
});

it("a rerun uses the same environment, and tries nothing a second time", async () => {
  for (const name of ["train", "serve"])
    project.writeSpec({ base: project.makeQuickBase(), run_commands: [COUNT] }, `env-specs/${name}.yaml`);
  const flags = ["--gpus", "none", "--environment", "train"];
  const first = await project.run(TELL, flags);
  const again = await ask("rerun", first.run.id, "--yes");
  expect(again).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  const logged = await project.sortie.run(["logs", again.run.id]);
  expect(logged.stdout.trim()).toBe(`|${project.envs(project.readPointer("train"))}`);
  expect([project.countBuilds(), project.readTries().length]).toEqual([1, 2]);
});

describe("a plan whose environment has changed meanwhile", () => {
  it("is stale where it was to be used again and is gone", async () => {
    project.writeSpec({ base: project.makeQuickBase(), run_commands: [COUNT] });
    await project.run(["true"]);
    const planned = await project.plan();
    expect(planned.action).toBe("reuse");
    rmSync(project.envs(project.readPointer()), { recursive: true });
    const stale = await ask("confirm", planned.id);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toMatch(/the environment my-project@[0-9a-f]{8} is not there any more/);
    expect(project.countBuilds()).toBe(1);
    expect(await project.plan()).toMatchObject({ action: "build" });
  });

  it("is stale where its interpreter does not run any more, or its driver is another", async () => {
    writeSpec();
    await project.run(["true"], [], { env: gpus.env });
    const planned = await project.plan([], { env: gpus.env });
    expect(planned).toMatchObject({ action: "reuse", due: [] });
    gpus.changeGpu(0, { driver: "550.54.15" });
    const stale = await ask("confirm", planned.id);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain("the driver is 550.54.15 now, it was 535.104.05");
    const next = await project.plan([], { env: gpus.env });
    const python = project.envs(project.readPointer(), "bin", "python");
    renameSync(python, `${python}.gone`);
    expect(await ask("confirm", next.id)).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(await project.plan([], { env: gpus.env })).toMatchObject({
      action: "rebuild",
      why: expect.stringContaining("does not run any more"),
    });
  });

  it("is carried out where it was to be built and somebody has built it", async () => {
    project.writeSpec({ base: project.makeQuickBase() });
    const planned = await project.plan();
    expect(planned.action).toBe("build");
    await project.run(["true"]);
    expect(await ask("confirm", planned.id)).toMatchObject({ exit: 0, run: { state: "succeeded" } });
    expect(project.listBuilds()).toEqual([project.readPointer()]);
  });
});
