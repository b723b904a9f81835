import { readFileSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FakeGpusSpec, makeFakeGpus, makeFakeUuid, makeGpuFreeEnv } from "./support/fake-gpus.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
/** Higher than any process number of Linux. */
const NO_PID = 4_194_305;
/** Where a process that is not seen may be outside, and is not called dead. */
const IS_CONTAINER = readlinkSync("/proc/self/ns/pid") !== "pid:[4026531836]";
/** What the program sees of its GPUs: unset and empty are two things. */
const TELL = [
  "sh",
  "-c",
  `echo "$\{CUDA_VISIBLE_DEVICES-unset}|$\{CUDA_DEVICE_ORDER-unset}"; echo "$\{CUDA_VISIBLE_DEVICES+set}"`,
];

const makeHost = (spec: FakeGpusSpec) => makeFakeGpus(sortie.temp(), spec);
const judge = (document: { gpus: { state: string; reason: string | null }[] }) =>
  document.gpus.map(({ state, reason }) => (reason ? `${state} ${reason}` : state));

/** Runs the program to its end, and answers with the document and what the program saw. */
async function runHere(env: Record<string, string | undefined>, ...flags: string[]) {
  const document = await sortie.ask(["run", "--target", "local", "--yes", ...flags, "--", ...TELL], { env });
  const [seen = "", isSet = ""] = document.run ? readFileSync(document.run.log, "utf8").split("\n") : [];
  return { ...document, seen, isSet };
}

describe("L12 a GPU of which nvidia-smi does not tell all", () => {
  const unreadable = ["[N/A]", "[Insufficient Permissions]", "[Not Supported]", "N/A", ""].map(
    (memoryUsed) => ({ memoryUsed }),
  );

  it("L12 is unknown with its reason, and a run that needs one is refused, never sent to the CPU", async () => {
    const { env } = makeHost({ gpus: unreadable });
    const document = await sortie.ask(["gpus"], { env });
    expect(judge(document)).toEqual([
      "unknown not_available",
      "unknown insufficient_permissions",
      "unknown not_available",
      "unknown not_available",
      "unknown not_available",
    ]);
    for (const { message } of document.gpus) expect(message).toMatch(/memory use/);
    const refused = await runHere(env);
    expect(refused).toMatchObject({ exitCode: 5, error: { code: "gpus_unfit" } });
    expect(refused.error.message).toMatch(/GPU 1: this user may not read its memory use/);
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });

  it("L12 leaves the others usable, and can be left out by asking for none", async () => {
    const { env } = makeHost({ gpus: [...unreadable, {}] });
    expect(await runHere(env)).toMatchObject({ exitCode: 0, run: { gpus: [makeFakeUuid(5)] } });
    const hidden = await runHere({ ...env, CUDA_VISIBLE_DEVICES: "3" }, "--gpus", "none");
    expect(hidden).toMatchObject({ exitCode: 0, run: { gpus: [] }, seen: "|unset", isSet: "set" });
  });
});

describe("L13 a host whose driver or command fails", () => {
  const lost = "Unable to determine the device handle for GPU 0000:C1:00.0: GPU is lost.  Reboot the system";

  it.each([
    [
      "driver_mismatch",
      { exit: 18, output: "Failed to initialize NVML: Driver/library version mismatch" },
      /different versions/,
    ],
    [
      "not_available",
      { exit: 9, output: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver." },
      /cannot reach the NVIDIA driver/,
    ],
    ["timeout", { delaySeconds: 60 }, /no answer within 15 s/],
  ])("L13 %s: shown with its message, and a run is refused", async (reason, fault, message) => {
    const { env } = makeHost({ fault });
    const [shown, refused] = await Promise.all([sortie.ask(["gpus"], { env }), runHere(env)]);
    expect(shown).toMatchObject({ exitCode: 0, fault: { reason } });
    expect(judge(shown)).toEqual([`unknown ${reason}`]);
    expect(shown.fault.message).toMatch(message);
    expect(refused).toMatchObject({ exitCode: 5, error: { code: "gpus_unfit" } });
    expect(refused.error.message).toMatch(message);
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });

  it("L13 removes the lost GPU of four alone", async () => {
    const { env } = makeHost({ gpus: [{}, {}, {}], fault: { exit: 15, before: lost } });
    const document = await sortie.ask(["gpus"], { env });
    expect(judge(document)).toEqual(["free", "free", "free", "unknown lost"]);
    expect(document.gpus[3]).toMatchObject({ uuid: null, message: expect.stringContaining("0000:C1:00.0") });
    const three = [0, 1, 2].map(makeFakeUuid);
    const all = await runHere(env, "--gpus", "3");
    expect(all).toMatchObject({ exitCode: 0, run: { gpus: three }, seen: `${three.join()}|PCI_BUS_ID` });
    expect(await runHere(env, "--gpus", "4")).toMatchObject({ exitCode: 5, error: { code: "gpus_unfit" } });
  });

  it("L13 says that there is none where the command is missing, and runs without", async () => {
    const bare = await sortie.ask(["gpus"], { env: makeGpuFreeEnv(sortie.temp()) });
    expect(bare).toMatchObject({ exitCode: 0, kind: "none", gpus: [], fault: null });
    expect(bare.absence).toMatch(/nvidia-smi is not on PATH/);
    const plan = await sortie.run(["run", "--target", "local", "--", ...TELL]);
    expect(plan.stdout).toMatch(/GPU +none: nvidia-smi is not on PATH/);
    const left = await runHere({ CUDA_VISIBLE_DEVICES: "7", CUDA_DEVICE_ORDER: undefined });
    expect(left).toMatchObject({ exitCode: 0, run: { gpus: [] }, seen: "7|unset" });
    const asked = await runHere({}, "--gpus", "1");
    expect(asked).toMatchObject({ exitCode: 2, error: { code: "gpus_too_few" } });
  });
});

describe("L15 two GPUs whose order for CUDA is not that of the bus", () => {
  const cards = { gpus: [{ name: "NVIDIA GeForce GTX 1080" }, { name: "NVIDIA A100-SXM4-80GB" }] };

  it.each([["1"], [makeFakeUuid(1)], ["GPU-00000001"]])("L15 --gpu %s is that card", async (name) => {
    const found = await runHere(makeHost(cards).env, "--gpu", name);
    const [gpu] = [makeFakeUuid(1)];
    expect(found).toMatchObject({ exitCode: 0, run: { gpus: [gpu] }, seen: `${gpu}|PCI_BUS_ID` });
  });

  it("L15 plan and report name the card", async () => {
    const { env } = makeHost(cards);
    const flags = ["--target", "local", "--yes", "--detach", "--gpu", "1"];
    const { stdout } = await sortie.run(["run", ...flags, "--", "sleep", "60"], { env });
    expect(stdout).toMatch(/GPU +GPU 1, NVIDIA A100-SXM4-80GB, as asked\n/);
    expect(stdout).toMatch(/GPU +GPU 1 \(NVIDIA A100-SXM4-80GB\), GPU-00000001-\S+ \(not yet used\)/);
  });

  it("L15 several that are named are all taken, in that order", async () => {
    const both = [makeFakeUuid(1), makeFakeUuid(0)];
    const found = await runHere(makeHost(cards).env, "--gpu", "1", "--gpu", "0");
    expect(found).toMatchObject({ exitCode: 0, run: { gpus: both }, seen: `${both.join()}|PCI_BUS_ID` });
  });

  it("L15 a name that is no GPU's is the user's mistake, and the known ones are listed", async () => {
    const { env } = makeHost(cards);
    for (const name of ["2", "GPU-ffff"]) {
      const refused = await runHere(env, "--gpu", name);
      expect(refused).toMatchObject({ exitCode: 2, error: { code: "gpu_unknown" } });
      expect(refused.error.message).toContain(makeFakeUuid(1));
    }
    expect(await runHere(env, "--gpus", "3")).toMatchObject({ exitCode: 2, error: { code: "gpus_too_few" } });
    expect(await runHere(env, "--gpus", "two")).toMatchObject({ exitCode: 2, error: { code: "usage" } });
  });
});

describe("L16 which GPU is free", () => {
  const occupied: FakeGpusSpec = {
    gpus: [{ memoryUsed: 501 }, { memoryUsed: 500 }, { memoryUsed: 12 }, { memoryUsed: 3072 }, {}, {}],
    processes: [
      { gpuUuid: makeFakeUuid(2), pid: process.pid, memory: 8 },
      { gpuUuid: makeFakeUuid(3), pid: NO_PID, memory: 3000 },
    ],
  };

  it("L16 strictly less than 500 MiB, no living process, no dead one's memory; a desktop does not count", async () => {
    const fake = makeHost(occupied);
    fake.changeGpu(4, { memoryUsed: 499 });
    fake.changeGpu(5, { memoryUsed: 300, utilization: 2 });
    const { gpus, ...document } = await sortie.ask(["gpus"], { env: fake.env });
    expect(judge({ gpus })).toEqual([
      "busy memory",
      "busy memory",
      "busy compute_process",
      IS_CONTAINER ? "busy compute_process" : "busy dead_process",
      "free",
      "free",
    ]);
    expect(document).toMatchObject({ exitCode: 0, schema: 1, host: expect.any(String) });
    expect(gpus[2]).toMatchObject({
      index: 2,
      uuid: makeFakeUuid(2),
      name: "NVIDIA A100-SXM4-80GB",
      memoryUsedMiB: 12,
      memoryTotalMiB: 81920,
      utilizationPercent: 0,
      processes: [{ pid: process.pid, alive: true }],
    });
    expect(gpus[3].message).toMatch(IS_CONTAINER ? /4194305/ : /3072 MiB are held by dead process 4194305/);
    const emptiest = await runHere(fake.env);
    expect(emptiest.run.gpus).toEqual([makeFakeUuid(5)]);
    const two = await runHere(fake.env, "--gpus", "2");
    expect(two.run.gpus).toEqual([makeFakeUuid(5), makeFakeUuid(4)]);
  });

  it("L16 a run is refused where none is free, and told who uses each", async () => {
    const { env } = makeHost({ ...occupied, gpus: occupied.gpus?.slice(0, 4) });
    const refused = await runHere(env);
    expect(refused).toMatchObject({ exitCode: 5, error: { code: "gpus_busy", retryable: true } });
    expect(refused.error.message).toMatch(/GPU 1 500 MiB .*; GPU 2 used by process \d+.*; GPU 3 .*4194305/);
    expect(refused.error.hint).toContain("--wait-gpu");
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });

  it("L16 the limit is a setting, and holds from the plan to the start", async () => {
    const { env } = makeHost({ gpus: [{ memoryUsed: 900 }] });
    const limited = { ...env, SORTIE_FREE_MEMORY_MIB: "1000" };
    expect(judge(await sortie.ask(["gpus"], { env: limited }))).toEqual(["free"]);
    const { plan } = await sortie.ask(["run", "--target", "local", "--", ...TELL], { env: limited });
    const confirmed = await sortie.ask(["confirm", plan.id], { env });
    expect(confirmed).toMatchObject({ exitCode: 0, run: { gpus: [makeFakeUuid(0)] } });
  });
});

it("takes as many GPUs as there are, also more than a plain shell has descriptors for", async () => {
  const { env } = makeHost({ gpus: Array.from({ length: 8 }, () => ({})) });
  const uuids = Array.from({ length: 8 }, (_, index) => makeFakeUuid(index));
  for (const count of [7, 8]) {
    const run = await runHere(env, "--gpus", String(count));
    expect(run).toMatchObject({ exitCode: 0, run: { gpus: uuids.slice(0, count) } });
    expect(run.seen).toBe(`${uuids.slice(0, count).join(",")}|PCI_BUS_ID`);
  }
});
