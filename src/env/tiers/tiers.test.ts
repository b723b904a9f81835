import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { type CupyFault, setCupyFault, writeCupyWheel } from "../../../test/support/cupy-wheel.ts";
import { makeLocalEnvHost, makeSshEnvHost } from "../../../test/support/env-host.ts";
import { type FakeGpus, makeFakeGpus, makeFakeUuid } from "../../../test/support/fake-gpus.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { EnvSpec, SmokeTests, WeightDir } from "../spec/env-spec.ts";
import type { Inside } from "../witness/run-inside.ts";
import { checkImports } from "./check-imports.ts";
import { runTierTwo } from "./run-tier-two.ts";

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const CARD = { uuid: makeFakeUuid(0), model: "NVIDIA A100-SXM4-80GB", driver: "535.104.05" };
const folder = useTempFolder();
const sshd = useSshd();

interface SpecParts extends Partial<SmokeTests> {
  readonly packages?: readonly string[];
  readonly weightDirs?: readonly WeightDir[];
}

function makeSpec({ packages = [], weightDirs = [], ...smoke }: SpecParts): EnvSpec {
  return {
    ...{ base: null, systemPkgs: [], pipPhases: [packages], env: {}, runCommands: [], weightDirs },
    smoke: { importNames: [], gpuTests: [], cliChecks: [], ...smoke },
  };
}

describe.each(["locally", "over ssh"])("%s", (where) => {
  let project = "";
  let gpus: FakeGpus;
  let inside: Inside;

  beforeEach(() => {
    project = join(folder(), "project");
    for (const name of [project, join(folder(), "tmp"), join(project, "modules")]) mkdirSync(name);
    gpus = makeFakeGpus(folder(), { gpus: [{}, {}] });
    const variables = { PYTHONPATH: `${join(project, "modules")}:${writeCupyWheel(project)}` };
    inside = { enter: { lines: [], shell: "sh" }, python: PYTHON, folder: project, variables };
  });

  function makeHost() {
    const env = { ...gpus.env, TMPDIR: join(folder(), "tmp") };
    return where === "locally" ? makeLocalEnvHost({ env }) : makeSshEnvHost(sshd(), { env });
  }
  const checkTierOne = (parts: SpecParts, timeoutS = 60) =>
    checkImports(makeHost(), { ...inside, spec: makeSpec(parts), timeoutS });
  const checkTierTwo = (parts: SpecParts, card: typeof CARD | null, lease?: string) =>
    runTierTwo(makeHost(), { ...inside, spec: makeSpec(parts), card, lease, timeoutS: 60 });
  const writeModule = (name: string, text: string) =>
    writeFileSync(join(project, "modules", `${name}.py`), text);
  const makeWeights = (path: string, change: Partial<WeightDir> = {}) => {
    return { path, source: null, gated: false, env: null, ...change };
  };

  test("tier 1 passes where all is as it must be", async () => {
    mkdirSync(join(project, "weights"));
    writeFileSync(join(project, "weights", "model.bin"), "x");
    writeFileSync(join(project, "weights", ".lock"), "");
    inside = {
      ...{
        ...inside,
        enter: { lines: ["echo noise; export ENTERED=yes", "greet() { echo hello; }"], shell: "bash" },
      },
      variables: { ...inside.variables, MODEL_DIR: "weights" },
    };
    const result = await checkTierOne({
      importNames: ["json", "numpy"],
      cliChecks: [
        { cmd: 'test "$ENTERED" = yes', expect: null },
        { cmd: "greet\necho more", expect: "^hello$" },
        { cmd: 'echo "$PWD" >&2', expect: "project$" },
      ],
      weightDirs: [makeWeights("weights", { env: "MODEL_DIR" })],
    });
    expect(result).toMatchObject({ state: "passed", failures: [] });
    expect(result.message).toBe("it imports json, numpy, passes 3 commands, has its weights in 1 place");
    expect(readdirSync(join(folder(), "tmp"))).toEqual([]);
  });

  test("tier 1 names each thing that is not", async () => {
    writeModule("quits", "raise SystemExit('no licence')");
    writeModule("broken", "import no_such_module");
    mkdirSync(join(project, "empty"));
    mkdirSync(join(project, "half"));
    writeFileSync(join(project, "half", "model.safetensors"), "");
    symlinkSync("nowhere", join(project, "half", "link"));
    const result = await checkTierOne({
      importNames: ["numpy", "quits", "broken", "not_there"],
      cliChecks: [
        { cmd: "echo fine", expect: "fine" },
        { cmd: "echo OK; exit 1", expect: "OK" },
        { cmd: "echo 7.0", expect: "^8" },
        { cmd: "no-such-program", expect: null },
        { cmd: "if then", expect: null },
      ],
      weightDirs: [
        makeWeights("gone", { source: "hf://acme/model", gated: true }),
        makeWeights("empty"),
        makeWeights("half", { env: "NOT_SET" }),
      ],
    });
    expect(result.state).toBe("failed");
    expect(result.failures).toEqual([
      { what: "import quits", message: "SystemExit: no licence" },
      { what: "import broken", message: "ModuleNotFoundError: No module named 'no_such_module'" },
      { what: "import not_there", message: "ModuleNotFoundError: No module named 'not_there'" },
      {
        what: "weights gone",
        message: "nothing is there (from hf://acme/model, which must grant access first)",
      },
      { what: "weights empty", message: "the folder holds no file" },
      {
        what: "weights half",
        message: expect.stringMatching(/^\$NOT_SET, .* is not set; .*model\.safetensors is empty/),
      },
      { what: "echo OK; exit 1", message: "it ended with code 1: OK" },
      { what: "echo 7.0", message: "its output does not match /^8/: 7.0" },
      { what: "no-such-program", message: expect.stringMatching(/code 127: .*not found/) },
      { what: "if then", message: expect.stringMatching(/code 2/) },
    ]);
    expect(result.failures[5]?.message).toMatch(/link cannot be followed/);
  });

  test("tier 1 tells which import ends Python, and which does not end", async () => {
    writeModule("crashes", "import os; os.abort()");
    writeModule("sleeps", "import time; time.sleep(600)");
    const crashed = await checkTierOne({ importNames: ["json", "crashes", "numpy"] });
    expect(crashed.failures).toEqual([
      { what: "import crashes", message: "signal 6 ended Python" },
      { what: "import numpy", message: "it was not looked at: Python ended with code 134 before" },
    ]);
    const hung = await checkTierOne({ importNames: ["json", "sleeps", "numpy"] }, 2);
    expect(hung.message).toBe("import sleeps: it did not end in time; import numpy: it was not looked at");
  });

  test("tier 1 of an environment that cannot be entered", async () => {
    inside = { ...inside, enter: { lines: ["exit 4"], shell: "sh" } };
    const result = await checkTierOne({ importNames: ["json"] });
    expect(result.failures).toEqual([
      { what: "environment", message: "the environment could not be entered" },
    ]);
  });

  test("tier 2 is a witness and the spec's own tests", async () => {
    const gpuTests = [{ cmd: 'echo "sees $CUDA_VISIBLE_DEVICES"', expect: `^sees ${CARD.uuid}$` }];
    const result = await checkTierTwo({ packages: ["cupy-cuda12x"], gpuTests }, CARD);
    expect(result).toMatchObject({ state: "passed", library: "cupy 13.0.0", cuda: "12.2" });
    expect(result.message).toBe(
      `cupy 13.0.0 computed float32, float16 on ${CARD.model}; 1 GPU test passed on ${CARD.model}`,
    );
  });

  test.each<[string, CupyFault | null, SmokeTests["gpuTests"], RegExp]>([
    [
      "a witness that fails",
      "no_kernel",
      [{ cmd: "true", expect: "" }],
      /^matmul in float32: CUDARuntimeError.*no kernel/,
    ],
    [
      "a test that matches and exits with 1",
      null,
      [{ cmd: "echo ok; exit 1", expect: "ok" }],
      /ended with code 1: ok/,
    ],
    ["a test that does not match", null, [{ cmd: "echo cpu", expect: "gpu" }], /does not match \/gpu\/: cpu/],
  ])("tier 2 fails by %s", async (_, fault, gpuTests, message) => {
    setCupyFault(gpus, fault);
    const result = await checkTierTwo({ packages: ["cupy"], gpuTests }, CARD);
    expect(result.state).toBe("failed");
    expect(result.message).toMatch(message);
  });

  test("tier 2 of numpy: on a CPU it computes, on a GPU the spec must bring its own test", async () => {
    const onCpu = await checkTierTwo({ packages: ["numpy"] }, null);
    expect(onCpu.message).toMatch(/^numpy [\d.]+ computed .* on a CPU$/);
    const bare = await checkTierTwo({ packages: ["numpy"] }, CARD);
    expect(bare).toMatchObject({ state: "failed", library: null });
    const gpuTests = [{ cmd: "nvidia-smi -L", expect: "A100" }];
    const tested = await checkTierTwo({ packages: ["numpy"], gpuTests }, CARD);
    expect(tested).toMatchObject({
      state: "passed",
      message: `1 GPU test passed on ${CARD.model}`,
      library: null,
    });
  });

  test("tier 2 of nothing, and of a card that is taken", async () => {
    expect((await checkTierTwo({}, null)).state).toBe("passed");
    expect((await checkTierTwo({}, CARD)).message).toMatch(/^nothing to witness with/);
    const gpuTests = [{ cmd: "true", expect: "" }];
    expect((await checkTierTwo({ gpuTests }, CARD, "exit 75")).state).toBe("taken");
    expect((await checkTierTwo({ packages: ["cupy"], gpuTests }, CARD, "exit 75")).state).toBe("taken");
  });
});
