import { defineErrors } from "./define.ts";

export const environmentErrors = defineErrors({
  spec_missing: {
    exit: 2,
    message: "There is no environment specification {wanted}{known}.",
    hint: "Write one with `sortie env init`, or name its file as `env_spec` in the section.",
  },
  spec_ambiguous: {
    exit: 2,
    message: "The project specifies several environments: {names}.",
    hint: "Name one: `sortie env check {example}`, `sortie run --environment {example}`, or `env_spec: {example}` in the section.",
  },
  spec_doubled: {
    exit: 2,
    message: "Two files specify one environment {name}: {file} and {other}.",
    hint: "Rename or remove one of them: an environment's name must be its own.",
  },
  launch_called_off: {
    exit: 130,
    message: "Called off: {run} was stopped before it started.",
    hint: "A build of its environment that it had begun is removed; what was ready stays.",
  },
  environment_unverified: {
    exit: 5,
    message:
      "The environment {environment} has not shown that it works: tier {tier} ({what}) failed: {reason}.",
    hint: "{next}",
  },
  environment_due: {
    exit: 2,
    message: "The environment {environment} has yet to show that it works: {reason}.",
    hint: "Make it ready with `sortie env build` and `sortie env verify`, or start anyway with --unverified.",
  },
  document_missing: {
    exit: 2,
    message: "No command is documented for the environment {environment}, so there is nothing to follow.",
    hint: "Mark a fenced block with `sortie-check` in README.md, or in its block of {ledger}: ```sh sortie-check",
  },
  spec_there: {
    exit: 2,
    message: "There is a specification of {name} already: {file}.",
    hint: "Change that one, or name another: `sortie env init NAME`.",
  },
  witness_insufficient: {
    exit: 2,
    message: "A GPU run cannot be trusted to the environment {environment}: {reason}.",
    hint: "{advice}",
  },
  ledger_conflict: {
    exit: 2,
    message: "{file} holds a merge conflict in line {line}, and is not changed.",
    hint: "Resolve it in that file, then do the same again.",
  },
  ledger_secret: {
    exit: 2,
    message: "What `{key}` shall say in {file} looks like a secret: {what}. Nothing was written.",
    hint: "Ledgers are shared with the project: leave the secret out, or name the variable that holds it.",
  },
  ledger_unreadable: {
    exit: 2,
    message: "The ledger {file} cannot be read: {reason}.",
    hint: "Make it a file of UTF-8 text that you may read, or move it away; then do the same again.",
  },
  ledger_unwritable: {
    exit: 5,
    retryable: true,
    message: "The ledger {file} cannot be written: {reason}.",
    hint: "Give yourself the right to write there, or free space; then do the same again.",
  },
  ledger_busy: {
    exit: 5,
    retryable: true,
    message: "Somebody else has been writing {file} for seconds: their lock {lock} is still there.",
    hint: "Try again; if nobody writes it, on other machines neither, remove that lock.",
  },
  environment_silent: {
    exit: 5,
    retryable: true,
    message: "A check of the environment on {host} gave no answer: {reason}.",
    hint: "Try again; if it stays so, run a command there by hand: it may have no room for temporary files.",
  },
  environment_build_failed: {
    exit: 5,
    message: "The environment {name} was not built on {host}: the step {step} failed: {reason}.",
    hint: "{advice} The whole log is there: {log}",
  },
  environment_unbuildable: {
    exit: 5,
    message: "The environment {name} cannot be built on {host}: {reason}.",
    hint: "{advice}",
  },
  document_unfollowed: {
    exit: 5,
    retryable: true,
    message: "What the document says could not be tried on {host}: {reason}.",
    hint: "Correct that there, then verify the environment again: `sortie env verify`.",
  },
  spec_unreadable: {
    exit: 2,
    message: "The environment specification {file} cannot be read: {reason}.",
    hint: "Make it a readable text file, in UTF-8.",
  },
  spec_bad: {
    exit: 2,
    message: "{file}{place}: {reason}.",
    hint: "{advice}",
  },
  draft_unreadable: {
    exit: 2,
    message: "{file} cannot be read: {reason}.",
    hint: "Correct that file, or move it away; then do the same again.",
  },
  spec_unrenderable: {
    exit: 2,
    message: "The specification cannot be rendered for {provider}: {reason}.",
    hint: "{advice}",
  },
});
