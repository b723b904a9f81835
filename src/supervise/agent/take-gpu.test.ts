import { renameSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FakeGpusSpec,
  makeFakeGpus,
  makeFakeUuid,
  makeGpuFreeEnv,
} from "../../../test/support/fake-gpus.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { SortieError } from "../../base/error.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { type GpuPlace, type TakenGpu, takeGpu } from "./take-gpu.ts";

const folder = useTempFolder();
const taken: TakenGpu[] = [];
afterEach(async () => {
  for (const gpu of taken.splice(0)) await gpu.release();
  await waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });
});

type Env = Record<string, string | undefined>;

const makeEnv = (spec: FakeGpusSpec, more: Env = {}): Env => ({
  ...process.env,
  CUDA_VISIBLE_DEVICES: undefined,
  SORTIE_RUN_ID: undefined,
  HOME: folder(),
  ...makeFakeGpus(folder(), spec).env,
  ...more,
});

async function take(named: string | undefined, env: Env, place: Partial<GpuPlace> = {}): Promise<TakenGpu> {
  const gpu = await takeGpu(named, {
    ...{ env, cwd: folder(), runner: makeLocalRunner(), holder: "agent-1" },
    ...{ signal: new AbortController().signal, onWarn: () => undefined, ...place },
  });
  taken.push(gpu);
  return gpu;
}

/** The code of the fault and its sentence. */
async function findFault(named: string | undefined, env: Env): Promise<string> {
  const fault = await take(named, env).catch((error: unknown) => error);
  return fault instanceof SortieError ? `${fault.code}: ${fault.message}` : "no fault";
}

describe("the GPU of an agent", () => {
  const two = { gpus: [{}, {}] };

  it("is leased by its index or UUID, and others are told who has it", async () => {
    const env = makeEnv(two);
    expect(await take("1", env)).toMatchObject({ pinned: makeFakeUuid(1), warnings: [] });
    expect(await findFault(makeFakeUuid(1), env)).toMatch(
      /^agent_gpu_taken: .*GPU 1 held by agent 1 of \S+ since/,
    );
    expect(await take("0", env)).toMatchObject({ pinned: makeFakeUuid(0) });
  });

  it("is a free one where none is named, and none where none is free", async () => {
    const env = makeEnv({ gpus: [{ memoryUsed: 9000 }, {}] });
    expect(await take(undefined, env)).toMatchObject({ pinned: makeFakeUuid(1) });
    expect(await findFault(undefined, env)).toMatch(/agent_gpu_taken: .*GPU 0 9000 MiB.*; GPU 1 held by/);
  });

  const killHolders = () => {
    for (const { pid, command } of findOwnProcesses())
      if (command.includes("sortie-gpu-lease")) process.kill(pid, "SIGKILL");
  };

  it("is taken again, and that is said, where the holder of the lease is killed", async () => {
    const env = makeEnv(two);
    const warnings: string[] = [];
    const gpu = await take("0", env, { onWarn: (text) => warnings.push(text) });
    for (let times = 1; times <= 2; times += 1) {
      killHolders();
      await waitFor(() => warnings.length === times, { what: "the warning" });
      expect(await findFault("0", env)).toMatch(/agent_gpu_taken: .* held by agent 1 of/);
    }
    expect(warnings[0]).toMatch(/holder of the lease .* was killed: the lease is taken again/);
    await gpu.release();
    expect((await take("0", env)).pinned).toBe(makeFakeUuid(0));
  });

  it("is warned of where the holder is killed and no lease can be taken again", async () => {
    const env = makeEnv(two);
    const warnings: string[] = [];
    await take("0", env, { onWarn: (text) => warnings.push(text) });
    const leases = env["SORTIE_LEASE_DIR"] as string;
    renameSync(leases, `${leases}.gone`);
    writeFileSync(leases, "");
    killHolders();
    await waitFor(() => warnings.length > 0, { what: "the warning" });
    expect(warnings).toEqual([expect.stringMatching(/lease .* is lost, .*: others may take the GPU/)]);
  });

  it("is free as far as the setting says", async () => {
    const spec = { gpus: [{ memoryUsed: 900 }] };
    expect(await findFault("0", makeEnv(spec))).toMatch(/agent_gpu_taken/);
    const gpu = await take("0", makeEnv(spec, { SORTIE_FREE_MEMORY_MIB: "1000" }));
    expect(gpu.pinned).toBe(makeFakeUuid(0));
  });

  it("is not shared with what uses it without a lease", async () => {
    const env = makeEnv({
      gpus: [{}],
      processes: [{ gpuUuid: makeFakeUuid(0), pid: process.pid, name: "train" }],
    });
    expect(await findFault("0", env)).toMatch(/agent_gpu_taken: .*GPU 0 used by process \d+ \(train/);
  });

  it("is taken with a warning where nobody knows whether it is free", async () => {
    const gpu = await take("0", makeEnv({ gpus: [{ memoryUsed: "[N/A]" }] }));
    expect(gpu).toMatchObject({ pinned: makeFakeUuid(0), warnings: [expect.stringContaining("not known")] });
  });

  it("is none where `cpu` is chosen, and nobody is asked", async () => {
    const env = makeEnv({ fault: { delaySeconds: 60 } });
    expect(await take("cpu", env)).toMatchObject({ pinned: "cpu" });
  });

  it.each([
    ["", /value_bad: The GPU cannot be empty/],
    ["gpu0", /value_bad/],
    ["-1", /value_bad/],
    ["ws://host", /value_bad/],
    ["7", /gpu_unknown: The host has no GPU 7; it has 0 .*, 1/],
  ])("is not %j", async (named, fault) => {
    expect(await findFault(named, makeEnv(two))).toMatch(fault);
  });

  it("is refused by index on a machine without nvidia-smi, and not missed where none is named", async () => {
    const env = { ...makeGpuFreeEnv(folder()) };
    expect(await findFault("0", env)).toMatch(
      /agent_gpu_absent: GPU 0 was asked for, but there is none here: .*nvidia-smi/,
    );
    expect(await take(undefined, env)).toMatchObject({
      pinned: undefined,
      said: expect.stringContaining("no GPU"),
    });
  });

  it("is refused on a machine whose driver fails", async () => {
    const env = makeEnv({ fault: { exit: 9, output: "NVIDIA-SMI has failed" } });
    expect(await findFault("0", env)).toMatch(/agent_gpu_unfit/);
  });

  it.each([
    [makeFakeUuid(1), "", { pinned: makeFakeUuid(1) }],
    ["1", "PCI_BUS_ID", { pinned: makeFakeUuid(1) }],
    ["1", "", { pinned: undefined, said: expect.stringMatching(/without a lease: .*only CUDA knows/) }],
    ["1", "FASTEST_FIRST", { pinned: undefined }],
    ["", "", { pinned: "cpu" }],
    ["0,1", "PCI_BUS_ID", { pinned: undefined, said: expect.stringContaining("without a lease") }],
  ])("is what CUDA_VISIBLE_DEVICES=%s, counted %j, says where none is named", async (visible, order, gpu) => {
    const env = makeEnv(two, { CUDA_VISIBLE_DEVICES: visible, CUDA_DEVICE_ORDER: order });
    expect(await take(undefined, env)).toMatchObject(gpu);
  });

  it("is the run's inside a run, which holds the lease itself", async () => {
    const env = makeEnv(two, { CUDA_VISIBLE_DEVICES: makeFakeUuid(0) });
    await take("0", env, { holder: "r1" });
    const inside = { ...env, SORTIE_RUN_ID: "r1" };
    expect(await take(undefined, inside)).toMatchObject({ pinned: undefined, said: "the GPU of the run" });
    expect(await take("0", inside)).toMatchObject({
      pinned: makeFakeUuid(0),
      said: expect.stringContaining("lease of the run"),
    });
  });

  it.each([
    ["another than the run's", makeFakeUuid(0), {}],
    ["any, where the run has none", "", {}],
    ["an index, where CUDA counts otherwise than nvidia-smi", "1", {}],
    ["an index that the run does not have", "0", { CUDA_DEVICE_ORDER: "PCI_BUS_ID" }],
  ])("is refused inside a run where it is %s", async (_, visible, more) => {
    const env = makeEnv(two, { SORTIE_RUN_ID: "r1", CUDA_VISIBLE_DEVICES: visible, ...more });
    expect(await findFault("1", env)).toMatch(/^agent_gpu_not_of_run: GPU 1 is not surely one of the run r1/);
  });

  it.each([
    ["0,1", {}],
    [makeFakeUuid(1).slice(0, -2), {}],
    ["1", { CUDA_DEVICE_ORDER: "PCI_BUS_ID" }],
  ])("is one of the run's where CUDA_VISIBLE_DEVICES=%s", async (visible, more) => {
    const env = makeEnv(two, { SORTIE_RUN_ID: "r1", CUDA_VISIBLE_DEVICES: visible, ...more });
    expect((await take("1", env)).said).toContain("under the lease of the run");
  });

  it("is what SORTIE_RUN_GPUS names inside a run from whose script nothing is hidden, and no other", async () => {
    const env = makeEnv(two, { SORTIE_RUN_ID: "r1", SORTIE_RUN_GPUS: makeFakeUuid(1) });
    expect(await take("1", env)).toMatchObject({
      pinned: makeFakeUuid(1),
      said: expect.stringContaining("lease of the run"),
    });
    expect(await findFault("0", env)).toMatch(/^agent_gpu_not_of_run: GPU 0 is not surely one of the run r1/);
  });

  it("is leased inside a run that leased none", async () => {
    expect((await take("1", makeEnv(two, { SORTIE_RUN_ID: "r1" }))).said).toContain("leased: ");
  });
});
