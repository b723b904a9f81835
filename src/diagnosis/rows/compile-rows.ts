import { defineRows, type Stage } from "../diagnosis-row.ts";

const stages: readonly Stage[] = ["build"];

/** What a host lacks for making an environment, and what compilers say. */
export const compileRows = defineRows([
  {
    code: "system_packages",
    layer: "build",
    when: {
      stages,
      log: { in: "end", line: /packages of the system are missing; install them .*?: (?<command>.+)/ },
    },
    cause: "Packages of the system that the spec names are not on this host, and Sortie installs none there.",
    next: "Run `{command}` on that host, or ask those who look after it; then build again.",
  },
  {
    code: "python_missing",
    layer: "spec",
    when: { stages, log: { in: "end", line: /there is no Python( \S+)? here|is not a Python 3 that runs/ } },
    cause: "The Python that the spec names is not on this host.",
    next: "Name one of those that are there in `base`, install it, or let uv fetch it (`uv:3.11`).",
  },
  {
    code: "build_tool_missing",
    layer: "build",
    when: { stages, log: { in: "end", line: /^(?<tool>uv|conda) is not here\b/ } },
    cause: "The spec's environment is made by {tool}, which is not on this host.",
    next: "Install {tool} there, or write `python:3.11` in `base` for a plain environment.",
  },
  {
    code: "venv_missing",
    layer: "build",
    when: { stages, log: { in: "end", line: /ensurepip is not\b|No module named '?(ensurepip|venv)\b/ } },
    cause: "The host's Python cannot make environments: its part `venv` is not installed.",
    next: "`sudo apt install python3-venv` there (python3.11-venv for that Python), or choose `uv` or `conda` in `base`.",
  },
  {
    code: "system_python",
    layer: "build",
    when: { stages, log: { in: "end", line: /externally-managed-environment/ } },
    cause: "A step called the pip of the system's own Python, which its distribution protects.",
    next: "Call `python -m pip` in `run_commands`, without sudo: inside the environment that is its own.",
  },
  {
    code: "cuda_toolkit_mismatch",
    layer: "spec",
    when: {
      stages,
      log: { in: "end", line: /detected CUDA version \((?<found>[\d.]+)\) mismatches the version/ },
    },
    cause: "An extension is compiled by the host's CUDA {found}, and the installed PyTorch is for another.",
    next: "Name a PyTorch for CUDA {found} (its --index-url), or set CUDA_HOME in `env` to a toolkit of PyTorch's version.",
  },
  {
    code: "cuda_toolkit_missing",
    layer: "build",
    when: {
      stages,
      log: {
        in: "end",
        line: /CUDA_HOME (environment variable )?is (not set|undefined)|(nvcc|CUDA toolkit)\b.*(not found|No such file)|unable to execute '?nvcc|Could not find nvcc/i,
      },
    },
    cause: "A package compiles code for GPUs, and no CUDA toolkit is found on this host.",
    next: "Set CUDA_HOME in `env` to the toolkit (often /usr/local/cuda), load its module, or name a version that has a wheel.",
  },
  {
    code: "build_needs_module",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /ModuleNotFoundError: No module named '(?<module>[\w.]+)'/,
        beside:
          /Getting requirements to build|metadata-generation-failed|subprocess-exited-with-error|Failed to build|build backend returned an error|Call to `/,
      },
    },
    cause: "A package needs {module} while it is built, and does not say so: pip builds it without.",
    next: "Install {module} in an earlier phase, and the package in a later one with --no-build-isolation.",
  },
  {
    code: "build_needs_module",
    layer: "spec",
    when: { stages, log: { in: "end", line: /error: invalid command 'bdist_wheel'/ } },
    cause: "A package needs setuptools and wheel while it is built, and the environment has none.",
    next: "Install setuptools and wheel in an earlier phase, or leave out --no-build-isolation.",
  },
  {
    code: "compiler_killed",
    layer: "build",
    when: {
      stages,
      log: { in: "end", line: /Killed signal terminated program|died due to signal 9|cc1plus.*Killed/ },
    },
    cause: "A compiler was killed, which the kernel does when the host has no memory left.",
    next: "Compile fewer files at once (MAX_JOBS: 2 in `env`), or name a version that has a wheel.",
  },
  {
    code: "header_missing",
    layer: "build",
    when: {
      stages,
      log: { in: "end", line: /fatal error: '?(?<header>[\w./+-]+)'?(:| file) (No such|not f)/ },
    },
    cause: "A package is compiled here and needs the header {header}, which is not on this host.",
    next: "Install the package that has it (python3-dev has Python.h) and name it in `system_pkgs`, or name a version that has a wheel.",
  },
  {
    code: "build_tool_missing",
    layer: "build",
    when: {
      stages,
      log: {
        in: "end",
        line: /command '.*' failed: No such file|unable to execute '.*': No such file|Cannot find command 'git'|Git executable not found|No CMAKE_\w+_COMPILER could be found|CMake must be installed|Unknown compiler\(s\)|can't find Rust compiler|Rust package manager, is not installed|pg_config executable not found|\b(gcc|g\+\+|cmake|make|ninja|git): (command )?not found/,
      },
    },
    cause: "A program that a package is built with is not on this host.",
    next: "Install it (build-essential has gcc, g++ and make) and name it in `system_pkgs`, or name a version of the package that has a wheel.",
  },
  {
    code: "compile_failed",
    layer: "build",
    when: {
      stages,
      log: {
        in: "end",
        line: /error: command '.*' failed with exit (code|status)|ninja: build stopped|Error compiling objects for ext/,
      },
    },
    cause: "Compiled code of a package cannot be built here.",
    next: "The first error above it in the log says why; a version with a wheel for this Python needs no compiler.",
  },
  {
    code: "package_unbuildable",
    layer: "build",
    when: {
      stages,
      log: {
        in: "end",
        line: /metadata-generation-failed|Failed building wheel for|Failed to build installable wheels|build backend returned an error|Failed to build `/,
      },
    },
    cause: "A package has no wheel for this Python and platform, and cannot be built here.",
    next: "Its own error stands above in the log; often an older Python in `base` or a newer version of the package has a wheel.",
  },
]);
