import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type FakeFault,
  type FakeGpusSpec,
  makeFakeGpus,
  makeFakeUuid,
  makeGpuFreeEnv,
} from "../../test/support/fake-gpus.ts";
import { findTool } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import type { Runner } from "../process/runner.ts";
import { chooseGpus } from "./choose-gpus.ts";
import type { GpuReport } from "./gpu-report.ts";
import { type LoadGpuOptions, loadGpuReport } from "./load-gpus.ts";

const runner = makeLocalRunner();
const folder = useTempFolder();
/** Higher than any process number of Linux. */
const NO_PID = 4_194_305;
/** Where a process that is not seen may be outside, and is not called dead. */
const IS_CONTAINER = readlinkSync("/proc/self/ns/pid") !== "pid:[4026531836]";

const canUnshare = process.getuid?.() === 0 && findTool("unshare") !== undefined;

function load(spec: FakeGpusSpec, options: LoadGpuOptions = {}): Promise<GpuReport> {
  const { env } = makeFakeGpus(folder(), spec);
  return loadGpuReport(runner, { env: { ...process.env, ...env }, ...options });
}

/** Runs `script`, which writes a process number into the file `pid`, while `test` goes on. */
async function withProcess(script: string, test: (pid: number) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const ended = runner.run(["sh", "-c", script], { cwd: folder(), timeoutMs: 60_000, signal: stop.signal });
  const path = join(folder(), "pid");
  await waitFor(() => existsSync(path) && readFileSync(path, "utf8"), { what: "a process" });
  await test(Number(readFileSync(path, "utf8"))).finally(() => stop.abort());
  await ended;
}

function judge(report: GpuReport): string[] {
  return report.gpus.map(({ state, reason }) => (reason ? `${state} ${reason}` : state));
}

describe("L12 what nvidia-smi does not tell", () => {
  it.each([
    ["[N/A]", "not_available"],
    ["[Insufficient Permissions]", "insufficient_permissions"],
    ["[Not Supported]", "not_available"],
    ["N/A", "not_available"],
    ["", "not_available"],
  ])("%j is unknown, with its reason, and never chosen", async (value, reason) => {
    const report = await load({ gpus: [{ memoryUsed: value }, {}] });
    expect(judge(report)).toEqual([`unknown ${reason}`, "free"]);
    expect(report.gpus[0]?.message).not.toBe("");
    expect(chooseGpus(report, { count: "default" }).gpus).toMatchObject([{ index: 1 }]);
  });
});

describe("L13 a host whose driver or command fails", () => {
  const MISMATCH = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 560.35";
  const DOWN = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
  const LOST =
    "Unable to determine the device handle for GPU 0000:C1:00.0: GPU is lost.  Reboot the system to recover this GPU";

  it("gives five different messages", async () => {
    const faults: FakeFault[] = [
      { exit: 18, output: MISMATCH },
      { exit: 9, output: DOWN },
      { delaySeconds: 60 },
    ];
    const messages: (string | null | undefined)[] = [];
    for (const [place, fault] of faults.entries()) {
      const { env } = makeFakeGpus(join(folder(), String(place)), { fault });
      const report = await loadGpuReport(runner, { env: { ...process.env, ...env }, seconds: 1 });
      expect(report).toMatchObject({ kind: "nvidia", gpus: [{ state: "unknown" }] });
      messages.push(report.fault?.message);
    }
    const bare = await loadGpuReport(runner, { env: makeGpuFreeEnv(folder()) });
    messages.push(bare.absence);
    const lost = await load({ gpus: [{}, {}, {}], fault: { before: LOST } });
    messages.push(lost.gpus.find(({ reason }) => reason === "lost")?.message);
    expect(new Set(messages).size).toBe(5);
    expect(messages.every(Boolean)).toBe(true);
    expect(bare.kind).toBe("none");
  });

  it("reads the fault on the other stream too", async () => {
    expect((await load({ fault: { exit: 18, output: "", errors: MISMATCH } })).fault?.reason).toBe(
      "driver_mismatch",
    );
  });

  it("removes only the lost GPU of four", async () => {
    const report = await load({ gpus: [{}, {}, {}], fault: { exit: 15, before: LOST } });
    expect(judge(report)).toEqual(["free", "free", "free", "unknown lost"]);
    expect(chooseGpus(report, { count: 3 }).gpus).toHaveLength(3);
  });

  it("asks for each card when the driver answers for none because one is lost", async () => {
    const fake = makeFakeGpus(folder(), { gpus: [{ bus: "0000:07:00.0" }, { bus: "0000:0F:00.0" }] });
    for (const bus of ["0000:07:00.0", "0000:0F:00.0", "0000:C1:00.0"]) {
      mkdirSync(join(folder(), "cards", bus), { recursive: true });
      writeFileSync(
        join(folder(), "cards", bus, "information"),
        `Model: \t NVIDIA A100\nBus Location: \t ${bus}\n`,
      );
    }
    fake.setFault({ exit: 255, blocked: LOST });
    const env = { ...process.env, ...fake.env, SORTIE_NVIDIA_CARDS: join(folder(), "cards") };
    const report = await loadGpuReport(runner, { env });
    expect(judge(report)).toEqual(["free", "free", "unknown lost"]);
    expect(report.gpus[2]).toMatchObject({ name: "NVIDIA A100", index: null });
  });

  it("does not hang with nvidia-smi, and leaves none of it behind", async () => {
    const report = await load({ fault: { delaySeconds: 60 } }, { seconds: 1 });
    expect(report.fault).toMatchObject({ reason: "timeout", message: expect.stringContaining("within 1 s") });
  });
});

describe("L16 which GPU is free", () => {
  it("is one with strictly less than 500 MiB in use", async () => {
    const report = await load({ gpus: [{ memoryUsed: 499 }, { memoryUsed: 500 }, { memoryUsed: 501 }] });
    expect(judge(report)).toEqual(["free", "busy memory", "busy memory"]);
  });

  it("is not one with a living compute process, however little memory it has", async () => {
    await withProcess("echo $$ >pid; exec sleep 100", async (pid) => {
      const processes = [{ gpuUuid: makeFakeUuid(0), pid, memory: 8 }];
      const report = await load({ gpus: [{ memoryUsed: 12 }], processes });
      expect(judge(report)).toEqual(["busy compute_process"]);
      expect(report.gpus[0]?.processes).toMatchObject([{ pid, alive: true, user: userInfo().username }]);
    });
  });

  it("is not one whose memory a dead process holds, which is told", async () => {
    // The child ends when its parent has become `sleep`, which never asks how it ended: it stays a zombie.
    const child = "(until grep -q sleep /proc/$$/comm; do :; done) &";
    await withProcess(`${child} echo $! >pid; exec sleep 100`, async (zombie) => {
      await waitFor(() => /^State:\tZ/m.test(readFileSync(`/proc/${zombie}/status`, "utf8")), {
        what: "the zombie",
      });
      const processes = [zombie, NO_PID].map((pid, place) => ({ gpuUuid: makeFakeUuid(place), pid }));
      const report = await load({ gpus: [{ memoryUsed: 3072 }, { memoryUsed: 3072 }], processes });
      expect(judge(report)).toEqual([
        "busy dead_process",
        IS_CONTAINER ? "busy compute_process" : "busy dead_process",
      ]);
      expect(report.gpus[0]?.message).toBe(
        `3072 MiB are held by dead process ${zombie} (python of ${userInfo().username})`,
      );
    });
  });

  it.skipIf(!canUnshare)(
    "is not one whose process a container cannot see: it may be alive outside",
    async () => {
      const { env } = makeFakeGpus(folder(), {
        processes: [{ gpuUuid: makeFakeUuid(0), pid: NO_PID, memory: 8 }],
      });
      const inside: Runner = {
        host: "a container",
        run: (argv, options) => runner.run(["unshare", "--pid", "--fork", "--mount-proc", ...argv], options),
      };
      const report = await loadGpuReport(inside, { env: { ...process.env, ...env } });
      expect(judge(report)).toEqual(["busy compute_process"]);
      expect(report.gpus[0]?.processes).toMatchObject([{ alive: null, user: null }]);
    },
  );

  it("is one that only shows the desktop", async () => {
    expect(judge(await load({ gpus: [{ memoryUsed: 300, utilization: 2 }] }))).toEqual(["free"]);
  });

  it("has a limit that can be set", async () => {
    expect(judge(await load({ gpus: [{ memoryUsed: 900 }] }, { freeMemoryMiB: 1000 }))).toEqual(["free"]);
  });
});

describe("asking a host", () => {
  it("takes one command, and nvidia-smi is asked twice", async () => {
    const fake = makeFakeGpus(folder(), { gpus: [{}, {}] });
    const commands: unknown[] = [];
    const counting: Runner = {
      host: runner.host,
      run: (argv, options) => {
        commands.push(argv);
        return runner.run(argv, options);
      },
    };
    await loadGpuReport(counting, { env: { ...process.env, ...fake.env } });
    expect(commands).toEqual([["sh", "-s"]]);
    expect(fake.readCalls()).toHaveLength(2);
  });

  it("asks again with fewer fields when the driver does not know one", async () => {
    const report = await load({ unknownFields: ["mig.mode.current", "utilization.gpu"] });
    expect(report.gpus).toMatchObject([{ state: "free", memoryUsedMiB: 4, utilizationPercent: null }]);
  });

  it("asks the Python of the run on a Mac", async () => {
    const env = makeGpuFreeEnv(folder());
    writeFileSync(join(env["PATH"] as string, "my python"), "#!/bin/sh\necho True\n", { mode: 0o755 });
    writeFileSync(join(folder(), "uname"), "#!/bin/sh\necho Darwin\n", { mode: 0o755 });
    const report = await loadGpuReport(runner, {
      env: { ...env, PATH: `${folder()}:${env["PATH"]}` },
      python: ["my python"],
    });
    expect(report).toMatchObject({ kind: "mps", gpus: [{ state: "free" }] });
  });

  it("fails with the host's own words when there is no answer", async () => {
    const silent = {
      ...runner,
      run: () => runner.run(["sh", "-c", "echo Connection refused >&2; exit 255"], { timeoutMs: 5000 }),
    };
    await expect(loadGpuReport(silent)).rejects.toMatchObject({
      code: "gpus_unasked",
      retryable: true,
      message: expect.stringContaining("Connection refused"),
    });
  });
});
