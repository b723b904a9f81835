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
  modal_app_open: {
    exit: 2,
    message: "Nothing says what {target} runs: its section has no `modal_app`.",
    hint: "Name the Python file as `modal_app` in {file}: a Modal app, or a plain script.",
  },
  modal_app_missing: {
    exit: 2,
    message: "{app} is the `modal_app` of {target}, and cannot be read: {reason}.",
    hint: "Correct `modal_app` in {file}; its path begins at the folder of that file.",
  },
  modal_app_unclear: {
    exit: 2,
    message: "What is to be started in {app} is not clear: {reason}.",
    hint: "Name one as `modal_function`: {names}.",
  },
  modal_command_other: {
    exit: 2,
    message:
      "The command starts {script}, and the `modal_app` of {target} is {app}, which is a Modal app of its own.",
    hint: "Give what {app} takes behind --, or set `modal_app: {script}`.",
  },
  modal_image_open: {
    exit: 2,
    message: "Nothing says what {app} needs in its container: it imports {imports}.",
    hint: "Name a file as `requirements`, write an env-spec.yaml (`sortie env init`), or name an `image` that has them.",
  },
  modal_requirements_missing: {
    exit: 2,
    message: "{path}, which the target {target} names as `requirements`, cannot be read: {reason}.",
    hint: "Correct `requirements`; its path begins at the project's folder.",
  },
  modal_secret_missing: {
    exit: 2,
    message: "There is no secret {missing} at Modal{workspace}.",
    hint: "Create it (`modal secret create {first} KEY=VALUE`), or correct {place}.",
  },
  modal_volume_open: {
    exit: 2,
    message: "Nothing at Modal would keep what the run makes: {target} has no `modal_volume`.",
    hint: "Create one (`modal volume create NAME`), and set `modal_volume: NAME`.",
  },
  modal_volume_missing: {
    exit: 2,
    message: "There is no volume {missing} at Modal{workspace}.",
    hint: "Create it (`modal volume create {first}`), or correct {place}.",
  },
  modal_still_running: {
    exit: 5,
    retryable: true,
    message: "What follows the run {run} from here has ended, and its app {app} still runs at Modal.",
    hint: "Wait for its end (`modal app logs {app}`), or stop it (`modal app stop {app}`); then `sortie collect {run}`.",
  },
  modal_fault_stands: {
    exit: 2,
    message:
      "The same launch failed as {run}, by an error of Modal's about its {kind}, and nothing of {change} has changed since: {evidence}",
    hint: "{advice} Where that was mended at Modal itself, `sortie clean {run}` forgets the failed run.",
  },
});
