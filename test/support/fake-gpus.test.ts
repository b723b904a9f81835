import { describe, expect, it } from "vitest";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { type FakeGpus, type FakeGpusSpec, makeFakeGpus, makeFakeUuid } from "./fake-gpus.ts";
import { useTempFolder } from "./temp-folder.ts";

const folder = useTempFolder();

async function ask(fake: FakeGpus, ...args: string[]) {
  const env = { ...process.env, ...fake.env };
  const { stdout, exitCode } = await makeLocalRunner().run(["nvidia-smi", ...args], {
    env,
    timeoutMs: 10_000,
  });
  return { lines: stdout.trim().split("\n"), exitCode };
}

function makeFake(spec: FakeGpusSpec = { gpus: [{}, { name: "Tesla T4", memoryUsed: "[N/A]" }] }): FakeGpus {
  return makeFakeGpus(folder(), spec);
}

describe("the stand-in for nvidia-smi", () => {
  it("prints the fields that are asked for, in their order, with or without units and header", async () => {
    const fake = makeFake();
    const query = "--query-gpu=memory.used,name,index";
    expect((await ask(fake, query, "--format=csv,noheader,nounits")).lines).toEqual([
      "4, NVIDIA A100-SXM4-80GB, 0",
      "[N/A], Tesla T4, 1",
    ]);
    expect((await ask(fake, query, "--format=csv")).lines).toEqual([
      "memory.used [MiB], name, index",
      "4 MiB, NVIDIA A100-SXM4-80GB, 0",
      "[N/A], Tesla T4, 1",
    ]);
  });

  it("refuses a field that it does not know", async () => {
    expect(await ask(makeFake(), "--query-gpu=index,colour", "--format=csv")).toEqual({
      lines: ['Field "colour" is not a valid field to query.'],
      exitCode: 2,
    });
  });

  it("selects GPUs by index, UUID and bus", async () => {
    const fake = makeFake();
    for (const id of ["1", makeFakeUuid(1), "00000000:02:00.0"]) {
      const { lines } = await ask(fake, "-i", id, "--query-gpu=name", "--format=csv,noheader");
      expect(lines).toEqual(["Tesla T4"]);
    }
    expect((await ask(fake, "-L")).lines[1]).toBe(`GPU 1: Tesla T4 (UUID: ${makeFakeUuid(1)})`);
  });

  it("follows its files: GPUs, processes and faults change between calls", async () => {
    const fake = makeFake({});
    fake.changeGpu(0, { memoryUsed: 9000 });
    fake.setProcesses([{ gpuUuid: makeFakeUuid(0), pid: 12, memory: 8996 }]);
    expect((await ask(fake, "--query-gpu=memory.used", "--format=csv,noheader,nounits")).lines).toEqual([
      "9000",
    ]);
    const apps = await ask(fake, "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits");
    expect(apps.lines).toEqual(["12, 8996"]);
    fake.setFault({ exit: 9, output: "no driver" });
    expect(await ask(fake, "-L")).toEqual({ lines: ["no driver"], exitCode: 9 });
    fake.setFault(null);
    expect((await ask(fake, "-L")).exitCode).toBe(0);
    expect(fake.readCalls()).toHaveLength(4);
  });

  it("waits until it is told to go on", async () => {
    const fake = makeFake({ fault: { delaySeconds: 60 } });
    const answer = ask(fake, "-L");
    fake.setFault(null);
    expect((await answer).exitCode).toBe(0);
  });
});
