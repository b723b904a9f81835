import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COUNT, useContractProject } from "../support/contract-project.ts";
import { writeCupyWheel } from "../support/cupy-wheel.ts";
import { makeFakeGpus } from "../support/fake-gpus.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { waitFor } from "../support/wait-for.ts";

const project = useContractProject();
/** A step of a build that goes on until the project holds `go`. */
const WAIT = "touch reached; until [ -e go ]; do sleep 0.05; done";
const waitForStep = () =>
  waitFor(() => existsSync(project.inProject("reached")), {
    what: "the build's last step",
    timeoutMs: 30_000,
  });

describe("L53 requirements", () => {
  const write = (text: string) => project.write("requirements.txt", text);

  it("L53 reordered or re-commented reuse; one pin changed rebuilds, and says so", async () => {
    for (const [name, version] of [
      ["one", "1.0"],
      ["two", "1.0"],
      ["two", "2.0"],
    ] as const)
      project.addWheel(name, version);
    project.writeSpec({
      base: project.makeQuickBase(),
      pip_phases: [project.pip("-r", "requirements.txt")],
      run_commands: [COUNT],
      smoke: { import_names: ["one", "two"] },
    });
    const tell = ["python", "-c", "import one, two; print(one.version, two.version)"];
    write("one==1.0\ntwo==1.0\n");
    expect((await project.run(tell)).printed).toBe("1.0 1.0");
    const first = project.readPointer();

    write("# the second first\ntwo==1.0   # pinned\r\n\n\none==1.0\n");
    expect(await project.plan()).toMatchObject({ action: "reuse", due: [] });
    expect((await project.run(tell)).printed).toBe("1.0 1.0");
    expect([project.countBuilds(), project.readTries().length]).toEqual([1, 2]);

    write("# the second first\ntwo==2.0\none==1.0\n");
    expect(await project.plan()).toMatchObject({
      action: "rebuild",
      why: "its requirement files have changed",
      due: [1, 2],
    });
    expect((await project.run(tell)).printed).toBe("1.0 2.0");
    expect([project.countBuilds(), project.readTries().length]).toEqual([2, 4]);
    expect(project.readPointer()).not.toBe(first);
    expect(project.listBuilds()).toContain(first);

    // As it was: the first build still stands for it.
    write("one==1.0\ntwo==1.0\n");
    expect(await project.plan()).toMatchObject({ action: "reuse", due: [] });
    expect((await project.run(tell)).printed).toBe("1.0 1.0");
    expect([project.countBuilds(), project.readPointer()]).toEqual([2, first]);
  });

  it("L53 that cannot be read are named before anything is asked of the host", async () => {
    project.writeSpec({ pip_phases: [["-r", "requirements.txt"]] });
    const refused = await project.run(["true"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "spec_bad" } });
    expect(refused.error.message).toContain("requirements.txt");
    expect((await project.sortie.ask(["ls"])).runs).toEqual([]);
  });
});

it("L53 a new driver: the witness again on that very card, and nothing else", async () => {
  const gpus = makeFakeGpus(project.temp(), { gpus: [{}, {}] });
  const cupy = writeCupyWheel(project.inProject());
  project.write("README.md", "```sh sortie-check\npython -c 'import cupy'\n```\n");
  project.writeSpec({
    base: project.makeQuickBase(),
    pip_phases: [["--no-index", cupy]],
    run_commands: [COUNT],
    smoke: { import_names: ["cupy"] },
  });
  const run = () =>
    project.run(["sh", "-c", 'echo "$CUDA_VISIBLE_DEVICES"'], ["--gpu", "1"], { env: gpus.env });
  const uuid = "GPU-00000001-fa4e-4000-8000-000000000000";
  expect((await run()).printed).toBe(uuid);
  expect(project.readTries()).toEqual(["1 passed", "2 passed", "3 passed"]);

  gpus.changeGpu(1, { driver: "550.54.15" });
  const planned = await project.plan(["--gpu", "1"], { env: gpus.env });
  expect(planned).toMatchObject({ action: "reuse", due: [2] });
  expect(planned.contract.due[0].why).toBe("the driver is 550.54.15 now, it was 535.104.05");
  expect((await run()).printed).toBe(uuid);
  expect(project.readTries()).toEqual(["1 passed", "2 passed", "3 passed", "2 passed"]);
  expect(project.readRecords().map(({ card }) => card?.driver ?? null)).toEqual([
    null,
    "535.104.05",
    null,
    "550.54.15",
  ]);
  expect(project.countBuilds()).toBe(1);
  expect(project.readLedger()).toContain("driver 550.54.15");

  // The other card has not computed yet.
  expect(await project.plan(["--gpu", "0"], { env: gpus.env })).toMatchObject({ action: "reuse", due: [2] });
  expect(await project.plan(["--gpu", "1"], { env: gpus.env })).toMatchObject({ action: "reuse", due: [] });
});

describe("L53 a build that is killed half-way", () => {
  const writeSlowSpec = () =>
    project.writeSpec({
      base: project.makeQuickBase(),
      run_commands: [COUNT, WAIT, 'echo whole >"$VIRTUAL_ENV/made"'],
    });
  const command = ["sh", "-c", 'cat "$VIRTUAL_ENV/made"'];
  const noGpu = ["run", "--target", "local", "--yes", "--gpus", "none", "--"];

  it("L53 with its builder: never used, and the next build works", async () => {
    writeSlowSpec();
    const launching = project.run(command);
    await waitForStep();
    const [half = ""] = project.listBuilds();
    expect(await project.plan()).toMatchObject({
      action: "build",
      why: expect.stringMatching(/^somebody is building it/),
    });
    for (const { pid } of findBuilders()) process.kill(pid, "SIGKILL");
    project.write("go", "");
    const failed = await launching;
    expect(failed).toMatchObject({ exit: 5, error: { code: "environment_build_failed" } });
    expect(existsSync(project.envs(half, "ready.json"))).toBe(false);
    expect(existsSync(project.envs("my-project"))).toBe(false);
    const [run] = (await project.sortie.ask(["ls", "--all"])).runs;
    expect(run).toMatchObject({ state: "failed" });

    expect(await project.plan()).toMatchObject({ action: "build", why: "it is not there yet" });
    expect((await project.run(command)).printed).toBe("whole");
    expect(project.listBuilds()).toEqual([project.readPointer()]);
    expect(project.readPointer()).not.toBe(half);
  });

  it("L53 with its launcher alone: the build goes on, and whoever comes next uses it", async () => {
    writeSlowSpec();
    const launcher = project.sortie.start([...noGpu, ...command]);
    await waitForStep();
    launcher.kill("SIGKILL");
    await launcher.exitCode;
    const next = project.run(command);
    project.write("go", "");
    expect((await next).printed).toBe("whole");
    expect(project.countBuilds()).toBe(1);
  });
});

it("L53 two builds at once: one builds, one waits, and both run in it", async () => {
  project.writeSpec({ base: project.makeQuickBase(), run_commands: [COUNT, WAIT] });
  const first = project.run(["sh", "-c", 'echo "$VIRTUAL_ENV"']);
  await waitForStep();
  const second = project.run(["sh", "-c", 'echo "$VIRTUAL_ENV"']);
  await waitFor(async () => (await project.sortie.ask(["ls"])).runs.length === 2, { timeoutMs: 30_000 });
  project.write("go", "");
  const both = await Promise.all([first, second]);
  for (const one of both)
    expect(one).toMatchObject({ exit: 0, printed: project.envs(project.readPointer()) });
  expect([project.countBuilds(), project.listBuilds().length]).toEqual([1, 1]);
});

/** All that belongs to a build, by its mark. */
function findBuilders() {
  return findOwnProcesses().filter(({ pid }) => {
    try {
      return /\0?SORTIE_BUILD=|quick python/.test(readFileSync(`/proc/${pid}/environ`, "utf8"));
    } catch {
      return false; // it has ended
    }
  });
}
