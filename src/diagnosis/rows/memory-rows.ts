import { defineRows, EVERYWHERE } from "../diagnosis-row.ts";

const GPU_MEMORY =
  /OutOfMemoryError\b.*(CUDA|HIP|allocat|GPU)|(CUDA|HIP) out of memory|CUDA error: out of memory|RESOURCE_EXHAUSTED: .*memory|ResourceExhaustedError: .*OOM|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation/i;

export const memoryRows = defineRows([
  {
    code: "killed_for_memory",
    layer: "memory",
    when: { reasons: ["exited", "signal", "supervisor_killed", "unknown"], oomKill: true },
    cause: "The kernel killed it because the host, or the memory limit it ran under, had no memory left.",
    next: "Use less host memory (fewer loader workers, smaller buffers), or run where there is more; `sortie show {run}` tells how much it had.",
    proves: "oom",
  },
  {
    code: "killed_for_memory",
    layer: "memory",
    when: { reasons: ["oom"] },
    cause: "The kernel killed it because the host, or the memory limit it ran under, had no memory left.",
    evidence: "{hostEvidence}",
    next: "Use less host memory (fewer loader workers, smaller buffers), or run where there is more; `sortie show {run}` tells how much it had.",
    proves: "oom",
  },
  {
    code: "gpu_memory",
    layer: "gpu",
    when: { log: { in: "end", line: GPU_MEMORY } },
    cause: "It ended because the GPU had too little free memory for what it asked for.",
    next: "Use a smaller batch or model, or a GPU with more memory (`sortie gpus`); see there, too, that nothing else is on this GPU.",
    proves: "oom",
  },
  {
    code: "shared_memory",
    layer: "memory",
    when: { log: { in: "end", line: /DataLoader worker .* killed by signal: Bus error/ } },
    cause: "A loader's worker died with a bus error: shared memory (/dev/shm) was full.",
    next: "Look at `df -h /dev/shm`; give the container more (docker run --shm-size=8g), or use fewer workers.",
  },
  {
    code: "loader_worker_killed",
    layer: "program",
    when: { log: { in: "end", line: /DataLoader worker .* (killed by signal|exited unexpectedly)/ } },
    cause: "A loader's worker ended before its time, and the program with it.",
    next: "Run once with num_workers=0, which shows the worker's own error; `dmesg` tells whether the kernel killed it.",
  },
  {
    code: "host_memory",
    layer: "memory",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "end",
        line: /^MemoryError\b|Cannot allocate memory|can't allocate memory|std::bad_alloc|_ArrayMemoryError/,
      },
    },
    cause: "The program asked the host for more memory than it could get.",
    next: "Use less host memory, or run where there is more; `ulimit -v` and the memory limit of a container count too.",
  },
]);
