import { defineRows } from "../diagnosis-row.ts";

/** What keeps a command from beginning its work. */
export const commandRows = defineRows([
  {
    code: "wrong_architecture",
    layer: "command",
    when: {
      exitCodes: [126],
      log: { in: "closing", line: /Exec format error|cannot execute binary file/ },
    },
    cause:
      "The command is no program for this host: built for another processor, or a script without its first line.",
    next: "Look at it with `file`; a script begins with a line such as #!/usr/bin/env python3.",
  },
  {
    code: "command_not_executable",
    layer: "command",
    when: { exitCodes: [126], log: { in: "closing", line: /(?<command>[^\s:]+): Is a directory/ } },
    cause: "{command} is a folder, not a program.",
    next: "Name the program in it.",
  },
  {
    code: "command_not_executable",
    layer: "command",
    when: { exitCodes: [126], log: { in: "closing", line: /Permission denied|cannot execute/ } },
    cause: "The command is there, but it is a folder or may not be executed.",
    next: "Start a script by its interpreter (python train.py), or make it executable with `chmod +x`.",
  },
  {
    code: "command_not_executable",
    layer: "command",
    when: { exitCodes: [126] },
    cause: "A command could not be executed (exit code 126).",
    evidence: "exit code 126",
    next: "Start a script by its interpreter (python train.py), or make it executable with `chmod +x`.",
  },
  {
    code: "command_not_found",
    layer: "command",
    when: { exitCodes: [127], log: { in: "closing", line: /not found|No such file or directory/ } },
    cause: "The command, or one that it starts, is not on this host.",
    next: "Check its spelling; a program of an environment needs that environment (`Conda env:` or `Venv:` in the target's section).",
  },
  {
    code: "command_not_found",
    layer: "command",
    when: { exitCodes: [127] },
    cause: "It ended with code 127, which a shell gives when it does not find a command.",
    evidence: "exit code 127",
    next: "Look at the log for the command's name: `sortie logs {run}`.",
  },
  {
    code: "folder_missing",
    layer: "command",
    when: { log: { in: "end", line: /job\.sh: .*\bcd: / } },
    cause: "The run's folder could not be entered.",
    next: "See that it is still there and open to you, or give another with --cwd.",
  },
  {
    code: "environment_missing",
    layer: "environment",
    when: {
      log: {
        in: "closing",
        line: /EnvironmentNameNotFound|EnvironmentLocationNotFound|Not a conda environment/,
      },
    },
    cause: "The conda environment is not on this host.",
    next: "See which there are with `conda env list`, and name one in the target's section.",
  },
  {
    code: "script_missing",
    layer: "command",
    when: { exitCodes: [2], log: { in: "closing", line: /can't open file '(?<file>[^']+)'/ } },
    cause: "Python did not find the script {file}.",
    next: "Check its name and the folder that the run starts in (--cwd).",
  },
  {
    code: "usage",
    layer: "command",
    when: {
      exitCodes: [2],
      log: {
        in: "closing",
        line: /^[\w.-]+: error: |unrecognized arguments|[Nn]o such option|invalid choice/,
      },
    },
    cause: "The program does not take the arguments it was given.",
    next: "Run it with --help, correct the command, and start it again.",
  },
  {
    code: "shell_syntax",
    layer: "command",
    when: {
      exitCodes: [1, 2],
      log: { in: "end", line: /[Ss]yntax error( near|:)|unexpected (end of file|EOF)/ },
    },
    cause: "A shell script has a mistake in its text.",
    next: "Check it without running it: `bash -n SCRIPT`.",
  },
]);
