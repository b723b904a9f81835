import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { COUNT, useContractProject } from "../support/contract-project.ts";
import { type CupyFault, setCupyFault, writeCupyWheel } from "../support/cupy-wheel.ts";
import { type FakeGpus, makeFakeGpus, makeFakeUuid } from "../support/fake-gpus.ts";
import { waitFor } from "../support/wait-for.ts";

const project = useContractProject();
const RUN = ["sh", "-c", 'touch ran; echo "$CUDA_VISIBLE_DEVICES"'];
let gpus: FakeGpus;

beforeEach(() => {
  gpus = makeFakeGpus(project.temp(), { gpus: [{}, {}] });
});

const writeSpec = (smoke: object = {}, commands: readonly string[] = []) =>
  project.writeSpec({
    base: project.makeQuickBase(),
    pip_phases: [["--no-index", writeCupyWheel(project.temp())]],
    run_commands: [COUNT, ...commands],
    smoke: { import_names: ["numpy"], ...smoke },
  });
const run = (...flags: string[]) => project.run(RUN, flags, { env: gpus.env });
const hasRun = () => existsSync(project.inProject("ran"));
const listRuns = async () => (await project.sortie.ask(["ls", "--all"])).runs;

describe("a run with a GPU", () => {
  it("lets its environment compute on the very GPU that it gets, and holds its lease meanwhile", async () => {
    writeSpec({
      gpu_tests: [
        {
          cmd: 'touch testing; until [ -e go ]; do sleep 0.05; done; echo "on $CUDA_VISIBLE_DEVICES"',
          expect: "on GPU-00000001",
        },
      ],
    });
    const running = run("--gpu", "1");
    await waitFor(() => existsSync(project.inProject("testing")), {
      timeoutMs: 30_000,
      what: "its own test",
    });
    const seen = await project.sortie.ask(["gpus"], { env: gpus.env });
    expect(
      seen.gpus.map(({ state, reason }: { state: string; reason: string | null }) => [state, reason]),
    ).toEqual([
      ["free", null],
      ["leased", null],
    ]);
    project.write("go", "");
    const answer = await running;
    expect(answer).toMatchObject({ exit: 0, run: { gpus: [makeFakeUuid(1)] }, printed: makeFakeUuid(1) });
    const [, witness] = project.readRecords();
    expect(witness).toMatchObject({
      tier: 2,
      passed: true,
      card: { uuid: makeFakeUuid(1), driver: "535.104.05" },
    });
    expect(witness?.message).toMatch(
      /^cupy 13.0.0 computed float32, float16 on NVIDIA A100-SXM4-80GB; 1 GPU test passed/,
    );
  });

  it("of two GPUs lets both compute", async () => {
    writeSpec();
    expect((await run("--gpus", "2")).printed).toBe(`${makeFakeUuid(0)},${makeFakeUuid(1)}`);
    expect(project.readRecords().flatMap(({ card }) => card?.uuid ?? [])).toEqual([
      makeFakeUuid(0),
      makeFakeUuid(1),
    ]);
  });
});

it("two runs at once, which wait for one build, compute on a GPU each and run there", async () => {
  const cmd = 'touch "on $CUDA_VISIBLE_DEVICES"; until [ -e done ]; do sleep 0.05; done; echo good';
  writeSpec({ gpu_tests: [{ cmd, expect: "good" }] }, ["until [ -e go ]; do sleep 0.05; done"]);
  const both = [run(), run()];
  const isBuilding = async () => (await listRuns()).length === 2 && project.countBuilds() === 1;
  await waitFor(isBuilding, { timeoutMs: 30_000, what: "the build" });
  project.write("go", "");
  const uuids = [makeFakeUuid(0), makeFakeUuid(1)];
  const areTesting = () => uuids.every((uuid) => existsSync(project.inProject(`on ${uuid}`)));
  await waitFor(areTesting, { timeoutMs: 30_000, what: "a test on each GPU" });
  project.write("done", "");
  const ended = await Promise.all(both);
  for (const one of ended) expect(one).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  expect(ended.map(({ printed }) => printed).sort()).toEqual(uuids);
});

const FAULTS: readonly [fault: CupyFault, reason: RegExp, cause: RegExp | null][] = [
  ["nan", /NaN|nan/, null],
  [
    "no_kernel",
    /no kernel image/,
    /no code for this GPU.*--gotcha 'cupy.CUDARuntimeError: .*no kernel image is available .* -> spec: /,
  ],
  ["no_driver", /driver version is insufficient/, /driver/],
  ["crash", /signal 6|abort/i, null],
  ["forged", /told nothing|last line/, null],
];

it("a witness that fails keeps the run from starting, with its reason, until it passes", async () => {
  writeSpec();
  for (const [index, [fault, reason, cause]] of FAULTS.entries()) {
    setCupyFault(gpus, fault);
    const answer = await run();
    expect(answer, fault).toMatchObject({
      exit: 5,
      error: { code: "environment_unverified", details: { tier: 2 } },
    });
    expect(answer.error.message, fault).toMatch(reason);
    if (cause) expect(answer.error.hint, fault).toMatch(cause);
    const [newest, ...others] = await listRuns();
    expect(newest).toMatchObject({ state: "failed" });
    expect(others).toHaveLength(index);
  }
  expect(hasRun()).toBe(false);
  expect(project.countBuilds()).toBe(1);
  expect(project.readTries().filter((words) => words === "2 failed")).toHaveLength(FAULTS.length);
  expect(project.readLedger()).toMatch(/tier: 1 import passed .*; 2 witness failed \(/);

  const planned = await project.plan([], { env: gpus.env });
  expect(planned).toMatchObject({ action: "reuse", due: [2] });
  expect(planned.contract.due[0].why).toMatch(/^it failed: /);
  setCupyFault(gpus, null);
  expect(await run()).toMatchObject({ exit: 0, printed: makeFakeUuid(0) });
  expect(project.readLedger()).toMatch(/2 witness passed \(/);
});

it("`sortie env verify` lets every free GPU compute, or the one that is named", async () => {
  writeSpec();
  gpus.setGpus([{}, { memoryUsed: 70_000, utilization: 90 }, {}]);
  const verify = (...flags: string[]) =>
    project.sortie.run(["env", "verify", "--yes", ...flags], { env: gpus.env });
  const first = await verify();
  expect(first.exitCode).toBe(0);
  expect(first.stderr).toContain("1 GPU in use or unknown: not tried now");
  const listCards = () => project.readRecords().flatMap(({ card }) => card?.uuid ?? []);
  expect(listCards()).toEqual([makeFakeUuid(0), makeFakeUuid(2)]);
  expect((await verify("--gpu", "1")).exitCode).not.toBe(0);
  gpus.changeGpu(1, { memoryUsed: 4, utilization: 0 });
  expect((await verify("--gpu", "1")).exitCode).toBe(0);
  expect(listCards()).toEqual([makeFakeUuid(0), makeFakeUuid(2), makeFakeUuid(1)]);
  expect(await project.sortie.ask(["env", "check"], { env: gpus.env })).toMatchObject({ exit: 0, due: [] });
});

it("a witness that hangs is called off with its run", async () => {
  writeSpec();
  setCupyFault(gpus, "hang");
  const running = run("--name", "hanging");
  await waitFor(() => project.readTries().length === 1, { timeoutMs: 30_000, what: "tier 1" });
  const leased = async () =>
    (await project.sortie.ask(["gpus"], { env: gpus.env })).gpus[0].state === "leased";
  await waitFor(leased, { timeoutMs: 30_000, what: "the witness" });
  expect(await project.sortie.ask(["stop", "hanging"])).toMatchObject({ exit: 0, state: "stopped" });
  const answer = await running;
  expect(answer).toMatchObject({ exit: 1, run: { state: "stopped" } });
  expect(hasRun()).toBe(false);
  expect(project.readTries()).toEqual(["1 passed"]);
  expect(await leased()).toBe(false);
});

it("its own GPU test must print what it shall and exit with 0", async () => {
  const writeTest = (cmd: string) => writeSpec({ gpu_tests: [{ cmd, expect: "all good" }] });
  writeTest("echo all good; exit 1");
  const lucky = await run();
  expect(lucky).toMatchObject({ exit: 5, error: { code: "environment_unverified", details: { tier: 2 } } });
  expect(lucky.error.message).toMatch(/echo all good; exit 1: it ended with code 1/);
  writeTest("echo all bad");
  const unlucky = await run();
  expect(unlucky.error.message).toContain("all good");
  expect(hasRun()).toBe(false);
  writeTest("echo all good");
  expect(await run()).toMatchObject({ exit: 0 });
});

it("starts with --unverified all the same, and says so", async () => {
  writeSpec();
  setCupyFault(gpus, "no_kernel");
  const refused = await run();
  const answer = await run("--unverified");
  expect(answer).toMatchObject({ exit: 0, run: { state: "succeeded" }, printed: makeFakeUuid(0) });
  const planned = await project.plan(["--unverified"], { env: gpus.env });
  expect(planned).toMatchObject({ due: [], contract: { isUnverified: true } });
  // Nothing was tried for it.
  expect(project.readTries()).toEqual(["1 passed", "2 failed"]);
  expect((await project.sortie.show(answer.run.id)).environment).toMatchObject({
    contract: { isUnverified: true },
  });

  // Whoever let it pass once is asked again.
  expect(await project.sortie.ask(["rerun", answer.run.id, "--yes"], { env: gpus.env })).toMatchObject({
    exit: 5,
    error: { code: "environment_unverified" },
  });

  // The line that the failure has told adds what was learnt to the ledger.
  const [, gotcha = ""] = /--gotcha '([^']*)'/.exec(refused.error.hint) ?? [];
  const added = await project.sortie.ask(["env", "ledger", "my-project", "--gotcha", gotcha]);
  expect(added).toMatchObject({ exit: 0, ledger: { blocks: [{ name: "my-project", gotchas: [gotcha] }] } });
  expect(project.readLedger()).toContain(`- gotcha: ${gotcha}\n`);
  const checked = await project.sortie.run(["env", "check"], { env: gpus.env });
  expect(checked.stdout).toContain("gotcha");
});

describe("numpy alone", () => {
  it("really computes for runs on a CPU, and is no witness of a GPU", async () => {
    project.writeSpec({ base: project.makeQuickBase(), smoke: { import_names: ["numpy"] } });
    const refused = await run();
    expect(refused).toMatchObject({ exit: 2, error: { code: "witness_insufficient" } });
    expect(refused.error.hint).toContain("smoke.gpu_tests");
    expect(await listRuns()).toEqual([]);
    expect(await run("--gpus", "none")).toMatchObject({ exit: 0, printed: "" });
    expect(project.readRecords()[1]?.message).toMatch(/^numpy 1\.\S+ computed float32, float16 on a CPU$/);
    expect(await run()).toMatchObject({ exit: 2, error: { code: "witness_insufficient" } });
  });

  it("that computes something wrong is found out", async () => {
    project.addWheel("wrong_numpy", "1.0", WRONG_NUMPY);
    project.writeSpec({
      base: project.makeQuickBase(),
      pip_phases: [project.pip("wrong_numpy")],
      run_commands: [`python -c '${IMPORT_AT_START}'`],
      smoke: { import_names: ["numpy"] },
    });
    const answer = await run("--gpus", "none");
    expect(answer).toMatchObject({
      exit: 5,
      error: { code: "environment_unverified", details: { tier: 2 } },
    });
    expect(answer.error.message).toMatch(/matmul in float32 is off by/);
  });
});

/** A Python of Debian has a sitecustomize of its own. */
const IMPORT_AT_START = `import sysconfig; open(sysconfig.get_path("purelib") + "/zz.pth", "w").write("import wrong_numpy")`;

const WRONG_NUMPY = `import numpy
right = numpy.matmul
numpy.matmul = lambda first, second: right(first, second) * first.dtype.type(1.1)
`;
