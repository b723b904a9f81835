import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { type CupyFault, setCupyFault, writeCupyWheel } from "../../../test/support/cupy-wheel.ts";
import { makeLocalEnvHost } from "../../../test/support/env-host.ts";
import { type FakeGpus, makeFakeGpus, makeFakeUuid } from "../../../test/support/fake-gpus.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { runWitness, type WitnessRequest } from "./run-witness.ts";

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const CARD = { uuid: makeFakeUuid(0), model: "NVIDIA A100-SXM4-80GB", driver: "535.104.05" };
const folder = useTempFolder();

function request(change: Partial<WitnessRequest> = {}): WitnessRequest {
  return {
    ...{ enter: { lines: [], shell: "sh" }, python: PYTHON, folder: null, variables: {} },
    ...{ library: "numpy", gpu: null, timeoutS: 60, ...change },
  };
}

/** A host whose temporary files lie in a folder of the test, which must be empty again after it. */
function makeHost(env: Readonly<Record<string, string>> = {}) {
  const place = join(folder(), "tmp");
  mkdirSync(place, { recursive: true });
  const host = makeLocalEnvHost({ env: { TMPDIR: place, ...env } });
  return { host, countLeft: () => readdirSync(place).length };
}

describe("on a CPU", () => {
  test("numpy computes", async () => {
    const { host, countLeft } = makeHost();
    const result = await runWitness(host, request({ threads: 1 }));
    expect(result).toMatchObject({
      state: "passed",
      exitCode: 0,
      facts: { library: "numpy", device: "cpu" },
    });
    expect(result.message).toMatch(/^numpy 1\.\d+\.\d+ computed float32, float16 on a CPU$/);
    expect(result.facts?.checks.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...["matmul float32", "conv2d float32", "sum float32"],
      ...["matmul float16", "conv2d float16", "sum float16"],
    ]);
    expect(countLeft()).toBe(0);
  });

  test("numpy on a card is refused", async () => {
    const result = await runWitness(makeHost().host, request({ gpu: CARD }));
    expect(result).toMatchObject({ state: "failed", message: "numpy computes on processors alone" });
  });

  test("a library that is not there, and an environment that is not", async () => {
    const { host } = makeHost();
    const missing = await runWitness(host, request({ library: "torch" }));
    expect(missing).toMatchObject({
      state: "failed",
      message: "ModuleNotFoundError: No module named 'torch'",
    });
    expect(missing.output).toMatch(/Traceback/);
    const enter = { lines: ["echo there is no such thing >&2; false"], shell: "bash" } as const;
    const closed = await runWitness(host, request({ enter }));
    const message = "the environment could not be entered: there is no such thing";
    expect(closed).toMatchObject({ state: "failed", message, exitCode: 1 });
    const gone = await runWitness(host, request({ python: "/nowhere/bin/python" }));
    expect(gone.message).toMatch(/nowhere\/bin\/python is not there/);
  });
});

describe("a Python that only plays the witness", () => {
  /** The token stands behind `--token`, as fourth word. */
  const play = (lines: readonly string[]) => {
    const path = join(folder(), "player");
    writeFileSync(path, ["#!/bin/sh", "token=$3", ...lines].join("\n"), { mode: 0o755 });
    return runWitness(makeHost().host, request({ python: path, timeoutS: 3 }));
  };
  const FACTS = JSON.stringify({
    ...{ library: "numpy", version: "1", python: "3", device: "cpu", name: null, uuid: null },
    ...{ capability: null, cuda: null, skipped: [], reason: null, seconds: 1, checks: [] },
  });
  const CHECK = (name: string, passed = true) => ({ name, type: "float32", error: 0, tolerance: 1, passed });
  const whole = (passed: boolean) =>
    FACTS.replace(
      '"checks":[]',
      `"checks":${JSON.stringify(["matmul", "conv2d", "sum"].map((name) => CHECK(name, passed)))}`,
    );

  test("and does it well", async () => {
    const result = await play([`echo '${whole(true)}'`, 'echo "SORTIE-WITNESS $token ok"']);
    expect(result.state).toBe("passed");
  });

  test.each([
    ["ends with 1", [`echo '${whole(true)}'`, 'echo "SORTIE-WITNESS $token ok"; exit 1'], /code 1/],
    ["has a foreign token", [`echo '${whole(true)}'`, "echo SORTIE-WITNESS forged ok"], /told nothing/],
    ["has no last line", [`echo '${whole(true)}'`], /without its last line/],
    [
      "says more behind it",
      [`echo '${whole(true)}'`, 'echo "SORTIE-WITNESS $token ok"; echo x'],
      /told nothing/,
    ],
    ["has no facts", ['echo "SORTIE-WITNESS $token ok"'], /told nothing/],
    ["has no checks", [`echo '${FACTS}'`, 'echo "SORTIE-WITNESS $token ok"'], /not all of its checks/],
    ["has failed checks", [`echo '${whole(false)}'`, 'echo "SORTIE-WITNESS $token ok"'], /not all of its/],
    ["is killed", ["kill -9 $$"], /signal 9 ended it/],
    ["does not end", ["sleep 600 & sleep 600"], /did not end in time/],
    ["prints without end", ["yes"], /more than 64 MB|did not end in time/],
  ])("and %s", async (_, lines, message) => {
    const result = await play(lines);
    expect(result.state).toBe("failed");
    expect(result.message).toMatch(message);
  });
});

describe("on a card", () => {
  let gpus: FakeGpus;
  let wheel = "";
  beforeEach(() => {
    const wheels = join(folder(), "wheels");
    mkdirSync(wheels);
    wheel = writeCupyWheel(wheels);
    gpus = makeFakeGpus(folder(), { gpus: [{}, {}] });
  });
  const run = (change: Partial<WitnessRequest> = {}, fault: CupyFault | null = null) => {
    setCupyFault(gpus, fault);
    const variables = { PYTHONPATH: wheel };
    return runWitness(makeHost(gpus.env).host, request({ library: "cupy", gpu: CARD, variables, ...change }));
  };

  test("it is this very one", async () => {
    const second = { ...CARD, uuid: makeFakeUuid(1) };
    const result = await run({ gpu: second });
    expect(result).toMatchObject({
      state: "passed",
      message: `cupy 13.0.0 computed float32, float16 on ${CARD.model}`,
      facts: {
        device: "gpu",
        cuda: "12.2",
        capability: "8.0",
        uuid: second.uuid.slice(4).replaceAll("-", ""),
      },
    });
    expect((await run({ library: "auto" })).facts?.library).toBe("cupy");
  });

  test.each([
    ["nan", /matmul in float32 gave NaN/],
    ["wrong", /matmul in float32 is off by 0\.1 /],
    ["no_kernel", /no kernel image is available/],
    ["no_driver", /cupy 13\.0\.0 sees no GPU: cudaErrorInsufficientDriver/],
    ["other_card", /another card, ffff/],
    ["forged", /told nothing/],
    ["crash", /signal 6 ended it/],
  ] as const)("%s", async (fault, message) => {
    const result = await run({}, fault);
    expect(result.state).toBe("failed");
    expect(result.message).toMatch(message);
  });

  test("one that hangs tells where, and is ended", async () => {
    const result = await run({ timeoutS: 7 }, "hang");
    expect(result.state).toBe("failed");
    expect(result.message).toMatch(/^it hung, .*line \d+ in matmul$/);
  });

  test("one that is gone is not replaced by a CPU", async () => {
    const result = await run({ gpu: { ...CARD, uuid: makeFakeUuid(7) } });
    expect(result.message).toMatch(/sees no GPU: cudaErrorNoDevice/);
  });

  test("one that is taken shows nothing", async () => {
    const result = await run({ lease: "echo run r1 holds it >&2; exit 75" });
    expect(result).toMatchObject({ state: "taken", message: "run r1 holds it" });
    expect(await run({ lease: "exit 3" })).toMatchObject({
      state: "failed",
      message: "the GPU could not be reserved",
    });
  });

  test("its lease is held while it computes", async () => {
    const file = join(folder(), "lease");
    writeFileSync(file, "");
    const lease = `exec 9<'${file.replaceAll("'", "'\\''")}' && flock -n 9 || exit 75`;
    const fault = `${dirname(wheel)}/probe`;
    const enter = {
      lines: [`flock -n '${file.replaceAll("'", "'\\''")}' true || : >'${fault.replaceAll("'", "'\\''")}'`],
      shell: "sh",
    } as const;
    expect((await run({ lease, enter })).state).toBe("passed");
    expect(readdirSync(dirname(wheel))).toContain("probe");
  });
});
