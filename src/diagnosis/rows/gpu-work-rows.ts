import { defineRows, type Stage } from "../diagnosis-row.ts";

const ON_GPU: readonly Stage[] = ["tier 1", "witness", "document"];

/** What is wrong where a GPU, or the library on it, does not do even a small piece of work. */
export const gpuWorkRows = defineRows([
  {
    code: "gpu_memory_taken",
    layer: "gpu",
    when: {
      stages: ON_GPU,
      log: {
        in: "end",
        line: /RESOURCE_EXHAUSTED|CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation|out of memory/i,
      },
    },
    cause: "The GPU has no room for a small piece of work: another process holds it.",
    next: '`sortie gpus` shows who does. JAX takes three quarters of a GPU at its start: XLA_PYTHON_CLIENT_PREALLOCATE: "false" in `env` forbids it.',
    proves: "oom",
  },
  {
    code: "jax_memory",
    layer: "spec",
    when: {
      stages: ["run"],
      log: {
        in: "end",
        line: /RESOURCE_EXHAUSTED: (Failed to allocate request for|.*prealloc|.*BFC)|failed to allocate .* from device: CUDA_ERROR_OUT_OF_MEMORY/i,
      },
    },
    cause: "JAX takes three quarters of a GPU's memory at its start, and did not get what it asked for.",
    next: "Set XLA_PYTHON_CLIENT_PREALLOCATE=false (or XLA_PYTHON_CLIENT_MEM_FRACTION) with --env; `sortie gpus` shows who else is on this GPU.",
    proves: "oom",
  },
  {
    code: "wrong_result",
    layer: "gpu",
    when: {
      stages: ["witness"],
      log: { in: "end", line: /is off by .* of its largest value|gave NaN, infinity or another shape/ },
    },
    cause: "The library computed something wrong on this device.",
    next: "Run the witness on another GPU of this host: wrong there too, the build does not fit driver or model; right there, this GPU is faulty (`nvidia-smi -q -d ECC`).",
  },
  {
    code: "witness_hangs",
    layer: "gpu",
    when: {
      stages: ["witness"],
      log: { in: "end", line: /^Timeout \(\d+:\d\d:\d\d|did not end in time/ },
    },
    cause:
      "A computation of seconds did not end: the GPU or its driver hangs, or the disk with the packages is slow.",
    next: "Try it once more; then look at `nvidia-smi` and `dmesg | grep Xid` on that host, and use another GPU.",
  },
  {
    code: "library_missing",
    layer: "spec",
    when: { stages: ["witness"], log: { in: "end", line: /none of .* is installed/ } },
    cause: "The environment has no library that the witness could compute with.",
    next: "Name torch, jax, cupy or numpy in `pip_phases`, or the project's own tests in `smoke`.",
  },
]);
