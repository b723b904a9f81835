import { defineErrors } from "./define.ts";

export const modalErrors = defineErrors({
  modal_program_missing: {
    exit: 2,
    message: "There is no program `modal` on this machine: it starts what runs on Modal.",
    hint: "Install it (`pip install modal`) in an environment that is on PATH, then run `modal setup`.",
  },
  modal_login_missing: {
    exit: 2,
    message: "Modal does not know who is asking: {reason}.",
    hint: "Run `modal setup` once, or set MODAL_TOKEN_ID and MODAL_TOKEN_SECRET.",
  },
  modal_away: {
    exit: 5,
    retryable: true,
    message: "`modal {command}` did not succeed: {reason}.",
    hint: "Try again later; `modal {command}` by hand shows more.",
  },
  modal_answer_unreadable: {
    exit: 5,
    message: "What `modal {command}` printed cannot be read: {reason}.",
    hint: "Bring the program up to date (`pip install --upgrade modal`), and try again.",
  },
  modal_gpu_unknown: {
    exit: 2,
    message: "Modal has no GPU `{gpu}`{suggestion}.",
    hint: "Known are {known}; `NAME:2` asks for two of them.",
  },
  modal_prices_unreadable: {
    exit: 2,
    message: "{file} does not hold prices of Modal: {reason}.",
    hint: "It is to look like: asOf: 2026-09-19, source: where they stand, and below gpus: a line `H100: 3.95` for each, in dollars per hour.",
  },
  modal_results_broken: {
    exit: 5,
    retryable: true,
    message: "What came from the volume {volume} is not what run {run} left there: {reason}.",
    hint: "Collect it again; nothing is taken over until every file has the hash that the run wrote down.",
  },
});
