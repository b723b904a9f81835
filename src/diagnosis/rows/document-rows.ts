import { defineRows, type Stage } from "../diagnosis-row.ts";

const stages: readonly Stage[] = ["document"];

/** Where the documented command and what is there part. */
export const documentRows = defineRows([
  {
    code: "usage",
    layer: "document",
    when: {
      stages,
      log: {
        in: "end",
        line: /unrecognized arguments?:? (?<words>.*)|(invalid|unrecognized|unknown) option\b|[Nn]o such option|invalid choice/,
      },
    },
    cause: "The document gives the program arguments that it does not take.",
    next: "Run the program with --help, and correct the document or the program.",
  },
  {
    code: "conda_shell",
    layer: "document",
    when: {
      stages,
      log: { in: "end", line: /Run 'conda init' before|shell has not been properly configured/ },
    },
    cause: "The document calls `conda activate` in a shell that does not know it: a clean one.",
    next: 'Leave it out of the block, which runs inside the environment, or write `eval "$(conda shell.bash hook)"` before it.',
  },
  {
    code: "command_not_found",
    layer: "document",
    when: { stages, log: { in: "end", line: /(^|\s)(?<command>[\w./+-]+): (command )?not found$/ } },
    cause: "The document calls {command}, which the environment does not have.",
    next: "Name the package that brings {command} in the spec, or correct the document.",
  },
  {
    code: "script_missing",
    layer: "document",
    when: { stages, log: { in: "end", line: /can't open file '(?<file>[^']+)'/ } },
    cause: "The document calls the script {file}, which the project does not have there.",
    next: "Correct its path in the document; what git ignores is not there in a clean folder.",
  },
  {
    code: "asks_a_person",
    layer: "document",
    when: { stages, log: { in: "end", line: /EOFError: EOF when reading a line|not a (tty|terminal)\b/i } },
    cause: "The documented command asks a person something: it cannot be followed as it stands.",
    next: "Write the answers into the command, as arguments or by `printf … |`.",
  },
  {
    code: "file_missing",
    layer: "document",
    when: {
      stages,
      log: { in: "end", line: /FileNotFoundError|No such file or directory/ },
    },
    cause: "A file that the documented command needs is not in a clean copy of the project.",
    next: "Have the document say how it is made or fetched, or add it to the project: what git ignores is not there.",
  },
]);
