import { defineRows, EVERYWHERE, INSIDE } from "../diagnosis-row.ts";

/** What CUDA, its driver and its libraries complain of. */
export const gpuRows = defineRows([
  {
    code: "no_kernel_image",
    layer: "spec",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "end",
        line: /no kernel image is available|is not compatible with the current PyTorch installation/i,
      },
    },
    cause: "The installed build has no code for this GPU's architecture.",
    next: "Install a build (of PyTorch, or of the extension named above in the log) made for this GPU, or run on another model.",
  },
  {
    code: "driver_too_old",
    layer: "driver",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "end",
        line: /driver on your system is too old|driver version is insufficient|UNSUPPORTED_PTX_VERSION|compiled with an unsupported toolchain/i,
      },
    },
    cause: "The host's NVIDIA driver is older than the CUDA version of this environment asks for.",
    next: "Use a build for an older CUDA, or ask for a newer driver; `nvidia-smi` shows which CUDA the driver can do.",
  },
  {
    code: "driver_mismatch",
    layer: "driver",
    when: {
      stages: EVERYWHERE,
      log: { in: "closing", line: /Driver\/library version mismatch|LibRmVersionMismatch/ },
    },
    cause:
      "The host's driver was updated while the old one is still loaded: no GPU can be used until it is loaded anew.",
    next: "Ask for a restart of the host; until then use another target.",
  },
  {
    code: "no_cuda_build",
    layer: "spec",
    when: {
      stages: EVERYWHERE,
      log: {
        in: "end",
        line: /not compiled with CUDA enabled|compiled without CUDA|no CUDA runtime is found|it was built without CUDA|no platforms that are instances of (gpu|cuda) are present/i,
      },
    },
    cause: "The installed build is one for CPUs: it cannot use a GPU.",
    next: "Install the CUDA build into this environment.",
  },
  {
    code: "no_gpu_seen",
    layer: "gpu",
    when: {
      stages: INSIDE,
      log: {
        in: "end",
        line: /No CUDA GPUs are available|no CUDA-capable device|Found no NVIDIA driver|invalid device ordinal|No GPU\/TPU found|No visible GPU devices|sees no GPU|no supported devices found for platform CUDA/i,
      },
    },
    cause: "The program asked for a GPU that it was not given.",
    next: "Start it with --gpus N for as many as it uses; inside it GPUs are numbered from 0, whichever they are on the host.",
  },
  {
    code: "device_assert",
    layer: "program",
    when: { stages: INSIDE, log: { in: "end", line: /device-side assert/i } },
    cause: "Code on the GPU checked a value and found it out of range, often a label or an index.",
    next: "Run once with CUDA_LAUNCH_BLOCKING=1, or on the CPU: that shows the line.",
  },
  {
    code: "gpu_fault",
    layer: "gpu",
    when: {
      stages: INSIDE,
      log: {
        in: "end",
        line: /CUDA error: (an illegal memory access|unspecified launch failure|misaligned address|uncorrectable ECC|the launch timed out)|fell off the bus|GPU is lost/i,
      },
    },
    cause: "The GPU stopped with a fault, by an access out of bounds in the code or by its hardware.",
    next: "Run once with CUDA_LAUNCH_BLOCKING=1; `dmesg | grep Xid` shows whether the driver reported the hardware.",
  },
  {
    code: "collective_failed",
    layer: "network",
    when: {
      stages: INSIDE,
      log: {
        in: "closing",
        line: /NCCL.*(timeout|error|terminated)|collective operation timeout|ncclSystemError|ncclUnhandledCudaError/i,
      },
    },
    cause: "The processes of the run lost touch with each other: one of them ended or hung before.",
    next: "Look in the log for the first process that failed; NCCL_DEBUG=INFO shows what they were waiting for.",
  },
]);
