import { defineErrors } from "./define.ts";

export const wandbErrors = defineErrors({
  wandb_project_missing: {
    exit: 2,
    message: "{source} says `wandb: true`, and no `wandb_project` says where to.",
    hint: "Add `- wandb_project: NAME` below it in {file}, or set `wandb: false`.",
  },
  wandb_script_unreadable: {
    exit: 2,
    message: "{file} cannot be read: {reason}.",
    hint: "Name a Python file: sortie wandb instrument train.py",
  },
  wandb_script_refused: {
    exit: 2,
    message: "{file} is left as it is: {reason} (line {line}).",
    hint: "{advice}",
  },
  wandb_script_changed: {
    exit: 4,
    message: "{file} was changed since the plan was made, and is left as it is.",
    hint: "Plan it again; see what changed with `git diff` or your editor.",
  },
  wandb_script_unwritable: {
    exit: 5,
    message: "{file} cannot be written: {reason}. It is as it was.",
    hint: "Free space or permissions there.",
  },
  wandb_not_logged: {
    exit: 2,
    message: "The run {run} was not planned with `wandb: true`: where it logs to is not known.",
    hint: "Set `wandb: true` and `wandb_project` in the target's section before the next run.",
  },
  wandb_program_missing: {
    exit: 2,
    message: "There is no program `wandb` on this machine: it uploads offline runs.",
    hint: "Install it (`pip install wandb`) in an environment that is on PATH.",
  },
  wandb_forward_failed: {
    exit: 5,
    retryable: true,
    message: "The numbers of {run} cannot be forwarded to W&B: {reason}.",
    hint: "They are in `sortie show`; `sortie wandb sync` tries it again.",
  },
  wandb_login_missing: {
    exit: 2,
    message: "There is no key for {host} on this machine.",
    hint: "Run `wandb login` once, or set WANDB_API_KEY.",
  },
  wandb_login_refused: {
    exit: 2,
    message: "{host} refuses the key of {source} ({status}).",
    hint: "Log in anew with `wandb login --relogin`, or correct WANDB_API_KEY.",
  },
  wandb_run_missing: {
    exit: 2,
    message: "{host} has no run {path}.",
    hint: "An offline run is there only once `sortie wandb sync` has uploaded it.",
  },
  wandb_away: {
    exit: 5,
    retryable: true,
    message: "{host} does not answer as W&B does: {reason}.",
    hint: "Try again later; WANDB_BASE_URL names another server.",
  },
});
