import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnoseOutput, type OutputSymptoms } from "./diagnose-output.ts";
import { diagnoseRun } from "./diagnose-run.ts";
import { EVERYWHERE, type Layer, type Stage } from "./diagnosis-row.ts";
import { makeGotcha } from "./make-gotcha.ts";
import { diagnosisTable } from "./table.ts";

const LOGS = join(import.meta.dirname, "../../fixtures/environments");

function readLog(name: string): string {
  return readFileSync(join(LOGS, `${name}.log`), "utf8");
}

type Recorded = readonly [name: string, code: string, layer: Layer, evidence: string];

const BUILDS: readonly Recorded[] = [
  ["pip-conflict", "requirements_conflict", "resolution", "ERROR: Cannot install aa==1.0 and bb==1.0"],
  ["pip-no-match", "package_missing", "spec", "No matching distribution found for cc==9"],
  ["pip-no-network", "index_unreachable", "network", "Retry(total=0"],
  ["pip-retry-survived", "package_missing", "spec", "No matching distribution found for cc==9"],
  ["pip-certificate", "certificate", "network", "CERTIFICATE_VERIFY_FAILED"],
  ["pip-hash", "hash_mismatch", "spec", "DO NOT MATCH THE HASHES"],
  ["pip-hash-missing", "hash_missing", "spec", "In --require-hashes mode"],
  ["pip-newer-python", "python_unsuitable", "spec", "3.11.7 not in '>=3.99'"],
  ["pip-newer-python-index", "python_unsuitable", "spec", "Requires-Python >=3.12"],
  ["pip-ignored-versions", "package_missing", "spec", "No matching distribution found for numpy==1.99"],
  ["pip-other-platform", "wheel_unsuitable", "spec", "is not a supported wheel"],
  ["pip-invalid", "requirement_unreadable", "spec", "Invalid requirement: 'foo=='"],
  ["pip-no-file", "requirement_unreadable", "spec", "'nofile.txt'"],
  ["pip-externally-managed", "system_python", "build", "externally-managed-environment"],
  ["pip-disk-full", "disk_full", "disk", "[Errno 28] No space left on device"],
  ["pip-needs-torch", "build_needs_module", "spec", "No module named 'torch'"],
  ["pip-header", "header_missing", "build", "ext.c:1:10: fatal error: Python.h"],
  ["pip-no-compiler", "build_tool_missing", "build", "command 'gcc' failed"],
  ["pip-compile-error", "compile_failed", "build", "failed with exit code 1"],
  ["pip-compiler-killed", "compiler_killed", "build", "Killed signal terminated program cc1plus"],
  ["pip-cuda-home", "cuda_toolkit_missing", "build", "CUDA_HOME environment variable is not set"],
  ["pip-cuda-mismatch", "cuda_toolkit_mismatch", "spec", "The detected CUDA version (11.8)"],
  ["pip-no-wheel-command", "build_needs_module", "spec", "invalid command 'bdist_wheel'"],
  ["pip-metadata", "package_unbuildable", "build", "metadata-generation-failed"],
  ["pip-git", "repository_unreachable", "network", "does not appear to be a git repository"],
  ["pip-no-git", "build_tool_missing", "build", "Cannot find command 'git'"],
  ["pip-private", "access_refused", "network", "403 Client Error"],
  ["uv-conflict", "requirements_conflict", "resolution", "are incompatible."],
  ["uv-no-match", "package_missing", "spec", "there is no version of cc==9"],
  ["uv-no-package", "package_missing", "spec", "nosuch was not found"],
  ["uv-newer-python", "python_unsuitable", "spec", "newpy==1.0 requires Python >=3.99"],
  ["uv-other-platform", "wheel_unsuitable", "spec", "no wheels with a matching Python"],
  ["uv-hash", "hash_mismatch", "spec", "Hash mismatch for `cc==1.0`"],
  ["uv-no-network", "index_unreachable", "network", "dns error"],
  ["uv-refused", "index_unreachable", "network", "tcp connect error"],
  ["uv-needs-torch", "build_needs_module", "spec", "No module named 'torch'"],
  ["uv-invalid", "requirement_unreadable", "spec", "Failed to parse: `foo==`"],
  ["conda-no-package", "package_missing", "spec", "PackagesNotFoundError"],
  ["conda-conflict", "requirements_conflict", "resolution", "LibMambaUnsatisfiableError"],
  ["conda-no-network", "index_unreachable", "network", "HTTP 000 CONNECTION FAILED"],
  ["conda-terms", "conda_terms", "build", "Terms of Service"],
  ["conda-not-writable", "permission", "build", "EnvironmentNotWritableError"],
  ["venv-missing", "venv_missing", "build", "ensurepip is not"],
  ["system-packages", "system_packages", "build", "apt-get install -y libgl1"],
  ["python-missing", "python_missing", "spec", "there is no Python 3.13 here"],
  ["uv-missing", "build_tool_missing", "build", "uv is not here"],
  ["prefix-permission", "permission", "build", "Permission denied"],
];

/** Said by programs in an environment, whichever step starts them: a run, an import, a witness. */
const INSIDE_LOGS: readonly Recorded[] = [
  ["numpy-abi", "numpy_pin", "spec", "numpy.dtype size changed"],
  ["numpy-two", "numpy_pin", "spec", "numpy.core.multiarray failed to import"],
  ["numpy-name", "numpy_pin", "spec", "module 'numpy' has no attribute 'float'"],
  ["torchvision", "torch_extension", "spec", "operator torchvision::nms"],
  ["undefined-symbol", "symbol_missing", "resolution", "undefined symbol: _ZN3c105Error"],
  ["glibc", "glibc_too_old", "spec", "version `GLIBC_2.34' not found"],
  ["libstdcxx", "libstdcxx_too_old", "resolution", "version `GLIBCXX_3.4.30' not found"],
  ["opencv-libgl", "graphics_library", "spec", "ImportError: libGL.so.1"],
  ["libcudnn", "missing_library", "resolution", "ImportError: libcudnn.so.9"],
  ["cupy-nvrtc", "missing_library", "resolution", "libnvrtc.so.12: cannot open"],
  ["cudnn-other", "cudnn_mismatch", "resolution", "cuDNN version incompatibility"],
  ["libcuda", "driver_missing", "driver", "libcuda.so.1: cannot open"],
  ["forward-compatibility", "driver_compatibility", "driver", "Error 804"],
  ["jaxlib", "jaxlib_pin", "spec", "jaxlib version 0.4.30"],
  ["protobuf", "protobuf_pin", "spec", "Descriptors cannot be created directly"],
  ["name-missing", "name_missing", "resolution", "cannot import name 'cached_download'"],
  ["module-hidden", "module_hidden", "resolution", "partially initialized module 'random'"],
  ["threads-openblas", "thread_storm", "spec", "OpenBLAS blas_thread_init"],
  ["threads-gomp", "thread_storm", "spec", "libgomp: Thread creation failed"],
  ["threads-python", "thread_storm", "spec", "can't start new thread"],
  ["cache-huggingface", "cache_not_writable", "spec", "/.cache/huggingface/hub"],
  ["cache-triton", "cache_not_writable", "spec", "/.triton/cache"],
  ["weights-safetensors", "weights_cut", "weights", "HeaderTooSmall"],
  ["weights-empty", "weights_cut", "weights", "EOFError: Ran out of input"],
  ["weights-zip", "weights_cut", "weights", "PytorchStreamReader failed"],
  ["weights-page", "weights_cut", "weights", "invalid load key, '<'"],
  ["weights-pointer", "weights_pointer", "weights", "invalid load key, 'v'"],
  ["weights-absent", "weights_missing", "weights", "does not appear to have a file named"],
  ["weights-folder", "weights_missing", "weights", "HFValidationError"],
  ["weights-gated", "access_refused", "weights", "You are trying to access a gated repo"],
  ["weights-other", "weights_other_model", "weights", "Error(s) in loading state_dict for Net"],
];

const STEPS: readonly (readonly [OutputSymptoms["stage"], ...Recorded])[] = [
  ["tier 1", "python-m", "missing_module", "spec", "No module named torchrun"],
  ["witness", "jax-start", "gpu_memory_taken", "gpu", "RESOURCE_EXHAUSTED"],
  ["witness", "cudnn-jax", "cudnn_mismatch", "resolution", "Loaded runtime CuDNN library: 8.5.0"],
  ["witness", "witness-wrong", "wrong_result", "gpu", "gave NaN, infinity"],
  ["witness", "witness-off", "wrong_result", "gpu", "is off by 0.31"],
  ["witness", "witness-cpu-build", "no_cuda_build", "spec", "it was built without CUDA"],
  ["witness", "witness-no-gpu", "no_gpu_seen", "gpu", "CUDA does not start"],
  ["witness", "witness-driver", "driver_too_old", "driver", "is too old (found version 11040)"],
  ["witness", "witness-kernel", "no_kernel_image", "spec", "no kernel image is available"],
  ["witness", "witness-full", "gpu_memory_taken", "gpu", "CUDA out of memory"],
  ["witness", "witness-hang", "witness_hangs", "gpu", "Timeout (0:01:50)!"],
  ["witness", "witness-nothing", "library_missing", "spec", "none of torch, jax, cupy, numpy"],
  ["document", "document-flag", "usage", "document", "unrecognized arguments: --learning-rate 0.1"],
  ["document", "document-command", "command_not_found", "document", "torchrun: not found"],
  ["document", "document-script", "script_missing", "document", "tools/eval.py"],
  ["document", "document-file", "file_missing", "document", "data/train.csv"],
  ["document", "document-question", "asks_a_person", "document", "EOF when reading a line"],
  ["document", "document-conda", "conda_shell", "document", "Run 'conda init' before"],
];

function check(stage: OutputSymptoms["stage"], name: string, wanted: object, evidence: string) {
  const text = readLog(name);
  const found = diagnoseOutput({ stage, text, exitCode: 1 });
  expect(found).toMatchObject({ ...wanted, evidence: expect.stringContaining(evidence) });
  expect(text).toContain(found?.evidence);
  expect(`${found?.cause} ${found?.next}`).not.toMatch(/[{}]|undefined|null/);
}

it.each(BUILDS)("a build that says %s is %s", (name, code, layer, evidence) => {
  check("build", name, { code, layer }, evidence);
});

describe.each<OutputSymptoms["stage"]>(["tier 1", "witness", "document"])("in a step such as %s", (stage) => {
  it.each(INSIDE_LOGS)("%s is %s", (name, code, layer, evidence) => {
    check(stage, name, { code, layer }, evidence);
  });
});

it.each(INSIDE_LOGS)("a run that says %s is %s, too", (name, code, layer, evidence) => {
  const found = diagnoseRun({ run: "r", endReason: "exited", exitCode: 1, logTail: readLog(name) });
  expect(found).toMatchObject({ code, layer, evidence: expect.stringContaining(evidence) });
});

it.each(STEPS)("%s: %s is %s", (stage, name, code, layer, evidence) => {
  check(stage, name, { code, layer }, evidence);
});

it("JAX that takes a GPU's memory is told from a program that needs more of it", () => {
  const logTail = readLog("jax-start");
  const found = diagnoseRun({ run: "r", endReason: "exited", exitCode: 1, logTail });
  expect(found).toMatchObject({ code: "jax_memory", endReason: "oom" });
});

it("every recorded output is held against the table", () => {
  const names = [...BUILDS, ...INSIDE_LOGS, ...STEPS.map(([, ...recorded]) => recorded)].map(
    ([name]) => name,
  );
  expect(readdirSync(LOGS).sort()).toEqual(names.map((name) => `${name}.log`).sort());
});

it.each<[number | null, string, string]>([
  [132, "illegal_instruction", "signal ILL (exit code 132)"],
  [139, "segmentation_fault", "signal SEGV (exit code 139)"],
  [137, "killed", "signal KILL (exit code 137)"],
])("a step that ended with %s and no word is %s", (exitCode, code, evidence) => {
  expect(diagnoseOutput({ stage: "witness", text: "", exitCode })).toMatchObject({ code, evidence });
});

it("what the table does not know is not guessed at", () => {
  for (const stage of EVERYWHERE.filter((one): one is OutputSymptoms["stage"] => one !== "run")) {
    expect(diagnoseOutput({ stage, text: "the moon is full\n", exitCode: 3 })).toBeNull();
    expect(diagnoseOutput({ stage, text: "", exitCode: null })).toBeNull();
  }
});

it("what an environment's rows say names no run", () => {
  const isOwn = (stage: Stage) => stage !== "run";
  const rows = diagnosisTable.filter(({ when }) => when.stages?.some(isOwn));
  expect(rows.length).toBeGreaterThan(60);
  for (const { code, cause, next, evidence = "" } of rows) {
    expect(`${cause}${next}${evidence}`, code).not.toMatch(
      /\{(run|hostEvidence|timeLimit|stopBy|waitLimit)\}/,
    );
  }
});

describe("a gotcha for the ledger", () => {
  const hit = { code: "symbol_missing", endReason: "exited", layer: "resolution" } as const;
  const next = "Install it anew.";

  it("is one line: symptom, layer, fix", () => {
    const found = diagnoseOutput({ stage: "build", text: readLog("pip-needs-torch"), exitCode: 1 });
    expect(found && makeGotcha(found)).toBe(
      "ModuleNotFoundError: No module named 'torch' -> spec: Install torch in an earlier phase, and the package in a later one with --no-build-isolation.",
    );
  });

  it.each([
    [
      "ImportError: /home/ada/envs/x.so: undefined symbol: a",
      "ImportError: ~/envs/x.so: undefined symbol: a",
    ],
    ["'/Users/ada/x' and /data/home/bob/y", "'~/x' and ~/y"],
    ["at /root: x, not /rooted", "at ~: x, not /rooted"],
    ["a\nb\tc   d\u001b[31m", "a b c d\\x1b[31m"],
    ["fetch https://ada:p4ssw0rd@example.org/x", "fetch https://example.org/x"],
    ["x".repeat(300), `${"x".repeat(200)}…`],
  ])("holds nobody's home, and no second line: %j", (evidence, shown) => {
    const gotcha = makeGotcha({ ...hit, evidence, cause: "A cause.", next });
    expect(gotcha).toBe(`${shown} -> resolution: Install it anew.`);
  });

  it("says the cause where the evidence is a secret or missing, and the row's name where that is one as well", () => {
    const secret = `refused hf_${"a1".repeat(17)}`;
    expect(makeGotcha({ ...hit, evidence: secret, cause: "A cause.", next })).toMatch(/^A cause\. ->/);
    expect(makeGotcha({ ...hit, evidence: null, cause: "A cause.", next })).toMatch(/^A cause\. ->/);
    const whole = makeGotcha({ ...hit, evidence: secret, cause: secret, next: secret });
    expect(whole).toBe("symbol_missing -> resolution: see the diagnosis where it failed");
  });
});
