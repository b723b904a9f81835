import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeEnd, diagnoseRun, type RunSymptoms } from "./diagnose-run.ts";
import type { EndReason } from "./diagnosis-row.ts";
import { diagnosisTable } from "./table.ts";

function readLog(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../fixtures/logs", `${name}.log`), "utf8");
}

function diagnose(symptoms: Partial<RunSymptoms>) {
  return diagnoseRun({ run: "digits", endReason: "exited", exitCode: 1, logTail: "", ...symptoms });
}

describe("recorded logs", () => {
  it.each<[string, number, string, string]>([
    ["missing-module", 1, "missing_module", "ModuleNotFoundError: No module named 'torch_geometric'"],
    ["missing-library-python", 1, "missing_library", "ImportError: libcudart.so.12: cannot open shared"],
    [
      "missing-library",
      127,
      "missing_library",
      "./render: error while loading shared libraries: libEGL.so.1",
    ],
    ["syntax-error", 1, "python_syntax", "SyntaxError: invalid syntax"],
    ["argparse-usage", 2, "usage", "train.py: error: unrecognized arguments: --learning-rate 0.1"],
    ["python-error", 1, "python_error", "ZeroDivisionError: division by zero"],
    ["chained-error", 1, "python_error", "RuntimeError: config.json is no configuration"],
    ["progress-then-error", 1, "python_error", "ValueError: loss is not a number"],
    ["command-not-found-dash", 127, "command_not_found", "sh: 1: exec: pyhton: not found"],
    ["command-not-found-bash", 127, "command_not_found", "bash: line 1: exec: pyhton: not found"],
    ["not-executable", 126, "command_not_executable", "sh: 1: exec: ./train.py: Permission denied"],
    [
      "exec-format",
      126,
      "wrong_architecture",
      "job.sh: line 3: /home/ada/exp/bin: cannot execute binary file",
    ],
    ["script-missing", 2, "script_missing", "python3: can't open file '/home/ada/exp/nothere.py'"],
    ["file-missing", 1, "file_missing", "FileNotFoundError: [Errno 2]"],
    ["permission", 1, "permission", "PermissionError: [Errno 13] Permission denied"],
    ["disk-full", 1, "disk_full", "OSError: [Errno 28] No space left on device"],
    ["disk-full-shell", 1, "disk_full", "cp: error writing '/data/out/model.pt': No space left on device"],
    ["host-memory-error", 1, "host_memory", "MemoryError"],
    ["keyboard-interrupt", 130, "keyboard_interrupt", "KeyboardInterrupt"],
    ["port-taken", 1, "port_taken", "OSError: [Errno 98] Address already in use"],
    ["connection-refused", 1, "network", "urllib.error.URLError: <urlopen error [Errno 111]"],
    ["segfault", 139, "segmentation_fault", "Fatal Python error: Segmentation fault"],
    ["cuda-oom", 1, "gpu_memory", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."],
    [
      "cuda-oom-torchrun",
      1,
      "gpu_memory",
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512",
    ],
    ["cuda-oom-reraised", 1, "gpu_memory", "RuntimeError: CUDA out of memory."],
    ["cuda-oom-native", 134, "gpu_memory", "CUDA error: out of memory"],
    ["jax-oom", 1, "gpu_memory", "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory"],
    ["no-kernel-image", 1, "no_kernel_image", "RuntimeError: CUDA error: no kernel image is available"],
    ["driver-too-old", 1, "driver_too_old", "RuntimeError: The NVIDIA driver on your system is too old"],
    ["driver-mismatch", 1, "driver_mismatch", "pynvml.NVMLError_LibRmVersionMismatch: Driver/library"],
    ["no-cuda-build", 1, "no_cuda_build", "AssertionError: Torch not compiled with CUDA enabled"],
    ["no-gpu-seen", 1, "no_gpu_seen", "RuntimeError: No CUDA GPUs are available"],
    ["device-assert", 1, "device_assert", "RuntimeError: CUDA error: device-side assert triggered"],
    ["shared-memory", 1, "shared_memory", "RuntimeError: DataLoader worker (pid 3002) is killed"],
    ["loader-worker-killed", 1, "loader_worker_killed", "RuntimeError: DataLoader worker (pid 46794)"],
    ["gated-model", 1, "access_refused", "huggingface_hub.errors.GatedRepoError: 401 Client Error."],
    ["wandb-key", 1, "access_refused", "wandb.errors.errors.UsageError: api_key not configured"],
    ["nccl-timeout", 134, "collective_failed", "[Rank 1] Watchdog caught collective operation timeout"],
  ])("%s with exit code %d is %s", (name, exitCode, code, evidence) => {
    const logTail = readLog(name);
    const found = diagnose({ logTail, exitCode, endReason: exitCode > 128 ? "signal" : "exited" });
    expect(found).toMatchObject({ code, evidence: expect.stringContaining(evidence) });
    expect(logTail).toContain(found?.evidence);
  });
});

it("a folder is no program, and no right would make it one", () => {
  const logTail = "/jobs/r1/job.sh: line 4: /tmp: Is a directory";
  const found = diagnose({ logTail, exitCode: 126 });
  expect(found).toMatchObject({ code: "command_not_executable", cause: "/tmp is a folder, not a program." });
  expect(found?.next).not.toContain("chmod");
});

describe("logs as they come", () => {
  it("that begin in the middle of a traceback, with line ends of another system", () => {
    const logTail = readLog("python-error").slice(-200).replaceAll("\n", "\r\n");
    expect(diagnose({ logTail })?.evidence).toBe("ZeroDivisionError: division by zero");
  });

  it("that are one line without end, or empty", () => {
    expect(diagnose({ logTail: "%|Error: CUDA ".repeat(100_000) })?.evidence?.length).toBe(2_000);
    expect(diagnose({ logTail: "" })).toMatchObject({ code: "exit_code", evidence: "exit code 1" });
  });
});

describe("running out of memory is said with evidence alone", () => {
  it("a CUDA error that was caught and survived proves nothing", () => {
    const found = diagnose({ logTail: readLog("cuda-oom-caught") });
    expect(found).toMatchObject({
      code: "exit_code",
      endReason: "exited",
      evidence: "validation set is empty, giving up",
    });
  });

  it("nor does one in whose handling the program failed otherwise", () => {
    const found = diagnose({ logTail: readLog("cuda-oom-caught-then-other-error") });
    expect(found).toMatchObject({ code: "python_error", endReason: "exited" });
    expect(found?.evidence).toMatch(/^TypeError: split\(\)/);
  });

  it("nor one after which the progress bar went on", () => {
    const logTail = readLog("cuda-oom").replace("| 0/1200 [00:03", "| 7/1200 [00:03");
    expect(diagnose({ logTail })?.endReason).toBe("exited");
  });

  it("nor one in a run that succeeded", () => {
    expect(diagnose({ logTail: readLog("cuda-oom"), exitCode: 0 })).toBeNull();
  });

  it("one at the end of a failed run does", () => {
    expect(diagnose({ logTail: readLog("cuda-oom") })).toMatchObject({ endReason: "oom", layer: "gpu" });
  });

  it("signal 9 alone is no more than signal 9", () => {
    const found = diagnose({ endReason: "signal", exitCode: 137, logTail: readLog("killed") });
    expect(found).toMatchObject({
      code: "killed",
      endReason: "signal",
      evidence: "signal KILL (exit code 137)",
    });
    expect(JSON.stringify(found)).not.toMatch(/likely|probabl|memory/i);
  });

  const killed = { endReason: "signal", exitCode: 137, kernelLog: readLog("kernel-oom") } as const;

  it("the kernel's line about a process of the run does", () => {
    expect(diagnose({ ...killed, pids: [63210, 63214] })).toMatchObject({
      code: "killed_for_memory",
      endReason: "oom",
      evidence: expect.stringMatching(/^\[ 7063\.247407\] Memory cgroup out of memory: Killed process 63214/),
    });
  });

  it("so does its line about the run's cgroup, and that cgroup's count", () => {
    expect(diagnose({ ...killed, cgroup: "/jobs" })?.evidence).toContain("task_memcg=/jobs/a");
    expect(diagnose({ endReason: "signal", exitCode: 137, oomKills: 1 })).toMatchObject({
      endReason: "oom",
      evidence: "oom_kill of the cgroup that it ran in rose by 1, and it ended by signal KILL",
    });
  });

  it.each<[EndReason, number | null]>([
    ["exited", 1],
    ["exited", 3],
    ["signal", 139],
    ["signal", 143],
    ["supervisor_killed", null],
    ["unknown", null],
  ])("that count alone, which neighbours share, does not: %s %s", (endReason, exitCode) => {
    const found = diagnose({ endReason, exitCode, oomKills: 1, hostEvidence: "gone" });
    expect(found).toMatchObject({ endReason });
    expect(found?.code).not.toBe("killed_for_memory");
  });

  it("a line about a neighbour does not", () => {
    expect(diagnose({ ...killed, pids: [6321], cgroup: "/jobs/b" })?.code).toBe("killed");
    expect(diagnose({ ...killed, cgroup: "/" })?.code).toBe("killed");
  });
});

describe("every end", () => {
  const whole = {
    run: "digits",
    exitCode: null,
    logTail: "epoch 1\n",
    hostEvidence: "the host's own words",
    timeLimit: "2 h 00 min",
    stop: { by: "TERM", at: "2025-01-01T00:00:00Z" },
  };
  it.each<[EndReason, number | null, string]>([
    ["exited", 0, "exit code 0"],
    ["exited", 3, "epoch 1"],
    ["signal", 143, "signal TERM (exit code 143)"],
    ["signal", 163, "exit code 163"],
    ["oom", 137, "the host's own words"],
    ["time_limit", 143, "time limit 2 h 00 min"],
    ["disk_full", null, "the host's own words"],
    ["host_restarted", null, "the host's own words"],
    ["container_restarted", null, "the host's own words"],
    ["supervisor_killed", null, "the host's own words"],
    ["never_started", null, "the job folder has no `pid`"],
    ["gpu_taken", null, "the host's own words"],
    ["launch_failed", null, "the host's own words"],
    ["stopped", 143, "stop asked for by TERM at 2025-01-01T00:00:00Z"],
    ["hang_up", 129, "stop asked for by TERM at 2025-01-01T00:00:00Z"],
    ["unknown", null, "the host's own words"],
  ])("%s (%s) has evidence and a next step", (endReason, exitCode, evidence) => {
    const found = describeEnd({ ...whole, endReason, exitCode });
    expect(found).toMatchObject({ endReason, evidence });
    expect(`${found.cause} ${found.next}`).not.toMatch(/[{}]|undefined|null/);
  });

  it.each(["spend_cap", "time_limit", "gpu_idle", "never_started"])(
    "a stop by the guard of a rented machine is told from a person's: %s",
    (why) => {
      const stop = { by: `guard:${why}`, at: "2025-01-01T00:00:00Z" };
      const found = describeEnd({ ...whole, endReason: "stopped", stop });
      expect(found).toMatchObject({ code: `guard_${why}`, evidence: expect.stringContaining(stop.at) });
      expect(found.cause).toMatch(/^The guard on its machine/);
    },
  );

  it("a wait for a GPU that is over is told from a launcher that died", () => {
    const found = describeEnd({ ...whole, endReason: "never_started", waitLimit: "5 min" });
    expect(found).toMatchObject({ code: "no_gpu_free", layer: "gpu", evidence: "the host's own words" });
    expect(found.cause).toContain("5 min");
  });

  it("evidence that nobody has is null, not half a sentence", () => {
    const bare = { run: "digits", exitCode: null, logTail: "" };
    expect(describeEnd({ ...bare, endReason: "stopped" }).evidence).toBeNull();
    expect(describeEnd({ ...bare, endReason: "host_restarted" }).evidence).toBeNull();
  });
});

describe("the table", () => {
  const FACTS = ["run", "exitCode", "signal", "hostEvidence", "timeLimit", "waitLimit", "stopBy", "stopAt"];

  it("names facts that are known, guesses at nothing, and says what to do", () => {
    for (const { code, cause, evidence = "", next, when } of diagnosisTable) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      const groups = [...(when.log?.line.source ?? "").matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
      for (const [, name] of `${cause}${evidence}${next}`.matchAll(/\{(\w+)\}/g)) {
        expect([...FACTS, ...groups], code).toContain(name);
      }
      expect(`${cause} ${next}`).not.toMatch(/likely|probably|perhaps/i);
      expect(next.length).toBeGreaterThan(20);
    }
  });
});
