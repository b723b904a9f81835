import { defineErrors } from "./define.ts";

export const configErrors = defineErrors({
  target_missing: {
    exit: 2,
    message: "No target was found: no AGENTS.md or CLAUDE.md from {folder} upward says where work runs.",
    hint: "Write a section with `sortie init`, or run on this machine with `--target local`.",
  },
  target_unknown: {
    exit: 2,
    message: "No target is called {wanted}.",
    hint: "There are: {names}.{nearest} `sortie targets` shows them; `local` is this machine.",
  },
  target_ambiguous: {
    exit: 2,
    message: "Several targets are possible: {names}.",
    hint: "Name one with --target, or set a default: `- target: NAME` in a section `## Sortie`.",
  },
  config_bad: {
    exit: 2,
    message: "The configuration of {target} cannot be used: {problems}.",
    hint: "Correct it there; `sortie targets` shows all that was read.",
  },
  trust_needed: {
    exit: 3,
    message: "Nothing was done: {file} holds lines that would be run, and they are not trusted yet.",
    hint: "Read the lines; if they are yours, run `sortie trust`.",
  },
  input_missing: {
    exit: 2,
    message: "The data that {target} names is not there: {missing}.",
    hint: "Put it there, or correct `data` in the section.",
  },
  code_dir_missing: {
    exit: 2,
    message: "The target {target} does not say where the code goes on its host.",
    hint: "Add a line to its section in {file}, for example: - Code dir: `~/experiments/my-project/`",
  },
  freeze_local: {
    exit: 2,
    message: "On this machine a run starts in your folder itself, not in a copy as `freeze` asks ({source}).",
    hint: "Leave it out, and change the code once the run has ended; or start the run in a copy of yours, with --cwd.",
  },
  section_unplaceable: {
    exit: 2,
    message: "A section cannot be added to {file}: {reason}.",
    hint: "Correct that place, or paste the section where it belongs.",
  },
});
