import { defineRows, ENVIRONMENT, EVERYWHERE } from "../diagnosis-row.ts";

/** What keeps programs from working in an environment, whatever they compute. */
export const environmentRows = defineRows([
  {
    code: "thread_storm",
    layer: "spec",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "closing",
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
