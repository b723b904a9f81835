import { defineRows, ENVIRONMENT, EVERYWHERE, type Stage } from "../diagnosis-row.ts";

/** What keeps programs from working in an environment, whatever they compute. */
export const environmentRows = defineRows([
  {
    code: "thread_storm",
    layer: "spec",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "exception",
        line: /blas_thread_init: (pthread_create failed|RLIMIT_NPROC)|libgomp: Thread creation failed|OMP: Error #34|unable to allocate necessary resources for OMP|can't start new thread/,
      },
    },
    cause:
      "Libraries started a thread for each CPU of the host, and this account or container may not have so many.",
    next: "Set OMP_NUM_THREADS and OPENBLAS_NUM_THREADS to the CPUs that it may use (in `env`, or with --env), and use fewer loader workers.",
  },
  {
    code: "cache_not_writable",
    layer: "spec",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "end",
        line: /(Read-only file system|Permission denied|EROFS|EACCES|not a writable directory).*?(?<cache>[^'"\s]*(\.cache|huggingface|\.triton|matplotlib|torchinductor|\.nv|\.keras|torch_extensions|numba)\b[^'"\s]*)/,
      },
    },
    cause: "A library wants to write its cache {cache}, and may not.",
    next: "Name a folder that can be written in `env`: HF_HOME, TRITON_CACHE_DIR, MPLCONFIGDIR, TORCH_HOME, or XDG_CACHE_HOME for most.",
  },
  {
    code: "read_only",
    layer: "build",
    when: { stages: ["build"], log: { in: "end", line: /Read-only file system|EROFS/ } },
    cause: "A step wanted to write where the file system is mounted for reading only.",
    next: "Name a folder that can be written by `env_dir`; TMPDIR moves temporary files.",
  },
  {
    code: "permission",
    layer: "build",
    when: {
      stages: ["build"],
      log: { in: "end", line: /Permission denied|EACCES|NotWritableError|cannot be written|not writable/ },
    },
    cause: "A step was not allowed to write where it wanted to.",
    next: "See who owns the folder that the log names; a build belongs below `env_dir`, and needs no sudo.",
  },
  {
    code: "illegal_instruction",
    layer: "spec",
    when: { stages: ENVIRONMENT, signals: ["ILL"] },
    cause: "A package was built for a newer processor than this host has.",
    evidence: "signal ILL (exit code {exitCode})",
    next: "Name a build for this processor in the spec, or use another host.",
  },
  {
    code: "segmentation_fault",
    layer: "resolution",
    when: { stages: ENVIRONMENT, signals: ["SEGV", "ABRT", "BUS"] },
    cause:
      "Compiled code of a package ended with signal {signal}: often two packages that were built for different versions of a third.",
    evidence: "signal {signal} (exit code {exitCode})",
    next: "Run it by hand with PYTHONFAULTHANDLER=1, which shows the Python line; then pin the packages named there to one release.",
  },
  {
    code: "killed",
    layer: "memory",
    when: { stages: ENVIRONMENT, signals: ["KILL"] },
    cause: "It was killed with signal 9, as the kernel does when there is no memory left, and people, too.",
    evidence: "signal KILL (exit code {exitCode})",
    next: "`sudo dmesg` on that host shows whether it was the kernel; then use less memory (MAX_JOBS: 2 for compilers) or another host.",
  },
]);

const ON_GPU: readonly Stage[] = ["tier 1", "witness", "document"];

/** What is wrong where even a small piece of work finds no room on its GPU. */
export const gpuRoomRows = defineRows([
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
    code: "jax_cudnn",
    layer: "resolution",
    when: {
      stages: EVERYWHERE,
      log: { in: "end", line: /DNN library initialization failed|Could not create cudnn handle/i },
    },
    cause:
      "JAX could not start cuDNN: its memory is taken by another process, or another cuDNN is found first.",
    next: "See `sortie gpus`, set XLA_PYTHON_CLIENT_PREALLOCATE=false, and take other CUDA folders out of LD_LIBRARY_PATH.",
  },
]);
