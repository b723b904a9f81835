import { defineRows } from "../diagnosis-row.ts";

export const pythonRows = defineRows([
  {
    code: "missing_module",
    layer: "environment",
    when: {
      log: {
        in: "end",
        line: /^(ModuleNotFoundError|ImportError): No module named '?(?<module>[\w.]+)'?/,
      },
    },
    cause: "Python's module {module} is not installed in the environment that the run used.",
    next: "Install it there, or name the right environment in the target's section; `sortie show {run}` tells which Python it was.",
  },
  {
    code: "python_syntax",
    layer: "program",
    when: { log: { in: "end", line: /^(SyntaxError|IndentationError|TabError)\b/ } },
    cause: "A Python file has a mistake in its text, or needs a newer Python.",
    next: "The log names file and line; `sortie show {run}` tells which Python it was.",
  },
  {
    code: "access_refused",
    layer: "network",
    when: {
      log: {
        in: "exception",
        line: /HTTPError: 40[13]|40[13] Client Error|Authentication failed|api_key not configured|could not read Username/,
      },
    },
    cause: "A service refused access: the key or token is missing, or has no right to this.",
    next: "Give the token by --env-file (HF_TOKEN, WANDB_API_KEY), and ask for access where it is restricted.",
  },
  {
    code: "port_taken",
    layer: "host",
    when: { log: { in: "end", line: /Address already in use|EADDRINUSE/ } },
    cause: "The network port that it wants is used by another process.",
    next: "Give another port (for torchrun: --master-port, or --standalone), or end the other process.",
  },
  {
    code: "network",
    layer: "network",
    when: {
      log: {
        in: "end",
        line: /Connection refused|ConnectionError|ConnectTimeout|Temporary failure in name resolution|Name or service not known|Network is unreachable|Max retries exceeded/,
      },
    },
    cause: "It could not reach another machine.",
    next: "Try the same address by hand on that host; many clusters have no way out, there download before.",
  },
  {
    code: "file_missing",
    layer: "program",
    when: { log: { in: "end", line: /^FileNotFoundError\b/ } },
    cause: "The program did not find a file that it wanted to open.",
    next: "Paths count from the run's folder (--cwd); data that git ignores is not sent to other hosts.",
  },
  {
    code: "keyboard_interrupt",
    layer: "person",
    when: { log: { in: "end", line: /^KeyboardInterrupt\b/ } },
    cause: "It was interrupted with Ctrl-C or the signal INT, which was not sent by Sortie.",
    next: "Start it again with `sortie rerun {run}`.",
  },
]);
