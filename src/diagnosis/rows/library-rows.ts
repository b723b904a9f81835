import { defineRows, EVERYWHERE } from "../diagnosis-row.ts";

const stages = EVERYWHERE;

/** Libraries and symbols that the loader does not find, or finds in another version. */
export const libraryRows = defineRows([
  {
    code: "driver_missing",
    layer: "driver",
    when: {
      stages,
      log: {
        in: "end",
        line: /libcuda\.so[\d.]*:? (cannot open|not found)|couldn't communicate with the NVIDIA driver|NVML Shared Library Not Found|libnvidia-ml\.so[\d.]*: cannot open/,
      },
    },
    cause: "NVIDIA's driver is not there: not installed on the host, or not handed into this container.",
    next: "See `nvidia-smi` on the host; a container needs the GPUs from outside (docker run --gpus all).",
  },
  {
    code: "driver_compatibility",
    layer: "driver",
    when: { stages, log: { in: "end", line: /forward compatibility was attempted on non supported HW/ } },
    cause: "A CUDA compatibility library is found first, which this GPU's model may not use.",
    next: "Take the folder `compat` of CUDA out of LD_LIBRARY_PATH, or use an image for the CUDA that the host's driver can do.",
  },
  {
    code: "glibc_too_old",
    layer: "spec",
    when: { stages, log: { in: "end", line: /version [`']?(?<version>GLIBC_[\d.]+)'? not found/ } },
    cause: "A package or program was built for a newer system than this host: it needs {version}.",
    next: "Name an older version of it, or its conda build; or use a host with a newer system.",
  },
  {
    code: "libstdcxx_too_old",
    layer: "resolution",
    when: {
      stages,
      log: { in: "end", line: /version [`']?(?<version>(GLIBCXX|CXXABI)_[\d.]+)'? not found/ },
    },
    cause: "A package needs {version} of the C++ library, and an older one was found first.",
    next: "Put the newer libstdc++.so.6 first (conda: `conda install -c conda-forge libstdcxx-ng`), and look at LD_LIBRARY_PATH.",
  },
  {
    code: "graphics_library",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /ImportError: (?<library>lib(GL|EGL|OpenGL|SM|Xext|Xrender|gthread-2\.0|glib-2\.0)\.so[\w.]*): cannot open/,
      },
    },
    cause: "A Python package draws pictures and needs {library}, which servers often lack.",
    next: "Name opencv-python-headless in place of opencv-python; or install libgl1 and libglib2.0-0 and name them in `system_pkgs`.",
  },
  {
    code: "cudnn_mismatch",
    layer: "resolution",
    when: {
      stages,
      log: {
        in: "exception",
        line: /cuDNN version incompatibility|Loaded runtime CuDNN library: .* but source was compiled with|CUDNN_STATUS_(SUBLIBRARY_)?VERSION_MISMATCH|Unable to load any of \{libcudnn|Could not load library libcudnn/i,
      },
    },
    cause: "Another cuDNN is found than the one that this environment was built for.",
    next: "Take the folder of the other one out of LD_LIBRARY_PATH; else pin the nvidia-cudnn package that the framework names.",
  },
  {
    code: "jax_cudnn",
    layer: "resolution",
    when: {
      stages,
      log: { in: "end", line: /DNN library initialization failed|Could not create cudnn handle/i },
    },
    cause:
      "JAX could not start cuDNN: its memory is taken by another process, or another cuDNN is found first.",
    next: "See `sortie gpus`, set XLA_PYTHON_CLIENT_PREALLOCATE=false, and take other CUDA folders out of LD_LIBRARY_PATH.",
  },
  {
    code: "missing_library",
    layer: "resolution",
    when: {
      stages,
      log: {
        in: "end",
        line: /(?<library>lib(cudart|cudnn|cublas|cusparse|cusolver|cufft|curand|nccl|nvrtc|nvJitLink|cupti|nvToolsExt|npp)\w*\.so[\w.]*): cannot open/,
      },
    },
    cause:
      "A package needs CUDA's {library}, which is not in this environment, or is there in another version.",
    next: "Install the build of the package that is for this environment's CUDA, or the nvidia-… package that has {library}.",
  },
  {
    code: "missing_library",
    layer: "resolution",
    when: {
      stages,
      log: {
        in: "end",
        line: /(ImportError|OSError): (?<library>[\w.+-]+\.so[\w.]*): cannot open shared obj/,
      },
    },
    cause: "A Python package needs the library {library}, which is not on this host or of another version.",
    next: "Install the version of the package that fits this environment's CUDA, or the package that has {library}.",
  },
  {
    code: "missing_library",
    layer: "resolution",
    when: {
      stages,
      log: { in: "closing", line: /error while loading shared libraries: (?<library>[^:]+):/ },
    },
    cause: "The program needs the library {library}, which is not on this host.",
    next: "Install the package that has {library}, or put its folder into LD_LIBRARY_PATH with --env.",
  },
  {
    code: "torch_extension",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /operator torchvision::\w+ does not exist|Couldn't load custom C\+\+ ops|torchvision.*(built|compiled) (for|with) .*CUDA|PyTorch has CUDA [Vv]ersion/,
      },
    },
    cause:
      "torch and a package built upon it (torchvision, torchaudio, torch-scatter) are not of one release.",
    next: "Name both in one phase, in the versions of one release and from one --index-url.",
  },
  {
    code: "symbol_missing",
    layer: "resolution",
    when: { stages, log: { in: "end", line: /undefined symbol: (?<symbol>\w+)/ } },
    cause:
      "A compiled package does not find the symbol {symbol}: it was built for another version of a library.",
    next: "Install it anew, in a phase after the library that it is built upon (--no-cache-dir --no-build-isolation), or pin the version it was built for.",
  },
]);
