import { describe, expect, it } from "vitest";
import {
  type FakeGpusSpec,
  makeFakeGpus,
  makeFakeUuid,
  makeGpuFreeEnv,
} from "../../../test/support/fake-gpus.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { dealGpus } from "./deal-gpus.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

const folder = useTempFolder();
const uuids = [0, 1, 2].map(makeFakeUuid);

/** What this machine would deal out if it had these GPUs. */
function deal(spec: FakeGpusSpec, more: Partial<RehearseOptions> = {}) {
  const env = {
    ...process.env,
    ...{ CUDA_VISIBLE_DEVICES: undefined, SORTIE_RUN_ID: undefined, HOME: folder() },
    ...makeFakeGpus(folder(), spec).env,
    ...more.env,
  };
  return dealGpus({ agents: 2, cwd: folder(), ...more, env }, makeLocalRunner());
}

describe("GPUs that nobody named", () => {
  it("are dealt out one by one, free ones only", async () => {
    expect(await deal({ gpus: [{}, { memoryUsed: 9000 }, {}] })).toEqual({
      gpus: [uuids[0], uuids[2]],
      said: "agent 1 on GPU 0 (NVIDIA A100-SXM4-80GB), agent 2 on GPU 2 (NVIDIA A100-SXM4-80GB)",
    });
  });

  it("leave those agents on cpu for which there is none, and it is said why", async () => {
    expect(await deal({ gpus: [{}] })).toEqual({
      gpus: [uuids[0], "cpu"],
      said: "agent 1 on GPU 0 (NVIDIA A100-SXM4-80GB), agent 2 on cpu: no other GPU is free",
    });
    const busy = await deal({ gpus: [{ memoryUsed: 9000 }] }, { agents: 3 });
    expect(busy.gpus).toEqual(["cpu", "cpu", "cpu"]);
    expect(busy.said).toMatch(/^agents 1 to 3 on cpu: no GPU is free \(GPU 0 9000 MiB.*\)$/);
  });

  it("are none where the driver is broken", async () => {
    const spec = {
      fault: { exit: 18, output: "Failed to initialize NVML: Driver/library version mismatch" },
    };
    const { gpus, said } = await deal(spec);
    expect(gpus).toEqual(["cpu", "cpu"]);
    expect(said).toMatch(/^agents 1 to 2 on cpu: no GPU is free \(.*driver/i);
  });

  it("are the agents' own affair where there are none, or where the environment says which", async () => {
    const own = { gpus: [undefined, undefined] };
    expect(await deal({}, { env: makeGpuFreeEnv(folder()) })).toEqual(own);
    expect(await deal({}, { env: { SORTIE_RUN_ID: "run-1" } })).toEqual(own);
    expect(await deal({}, { env: { CUDA_VISIBLE_DEVICES: "" } })).toEqual(own);
  });

  it("are only the one that CUDA_VISIBLE_DEVICES names, for one agent", async () => {
    const env = { CUDA_VISIBLE_DEVICES: uuids[1] };
    expect((await deal({ gpus: [{}, {}] }, { env })).gpus).toEqual([uuids[1], "cpu"]);
  });

  it("are not given to agents of another kind", async () => {
    expect(await deal({}, { agentCommand: "./tunnel.sh" })).toEqual({ gpus: ["cpu", "cpu"] });
  });
});

describe("GPUs that were named", () => {
  it("are dealt out in turn", async () => {
    expect(await deal({}, { gpus: ["1", "cpu"], agents: 2 })).toEqual({ gpus: ["1", "cpu"] });
    expect(await deal({}, { gpus: ["cpu"], agents: 3 })).toEqual({ gpus: ["cpu", "cpu", "cpu"] });
  });

  it("are refused where one would serve two agents, or where a name is none", async () => {
    const code = "value_bad";
    await expect(deal({}, { gpus: ["0"] })).rejects.toMatchObject({
      ...{ code, message: expect.stringContaining("one agent at a time") },
      hint: expect.stringContaining("0,cpu"),
    });
    await expect(deal({}, { gpus: ["0", "cpu"], agents: 3 })).rejects.toMatchObject({ code });
    await expect(deal({}, { gpus: ["zero"], agents: 1 })).rejects.toMatchObject({ code });
    const agentCommand = "./tunnel.sh";
    expect((await deal({}, { gpus: ["0"], agentCommand })).gpus).toEqual(["0", "0"]);
    expect((await deal({}, { gpus: ["0"], env: { SORTIE_RUN_ID: "r" } })).gpus).toEqual(["0", "0"]);
  });
});
