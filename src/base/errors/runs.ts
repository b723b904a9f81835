import { defineErrors } from "./define.ts";

export const runErrors = defineErrors({
  run_unknown: {
    exit: 2,
    message: "No run is called {run}.",
    hint: "`sortie ls` shows the runs; an id, a name or the unique start of either will do.",
  },
  run_ambiguous: {
    exit: 2,
    message: "{run} could be any of: {matches}.",
    hint: "Give more letters of the one you mean.",
  },
  run_live: {
    exit: 2,
    message: "The run {run} is still {state}.",
    hint: "Wait for it with `sortie wait {run}`, or stop it with `sortie stop {run}`.",
  },
  run_of_fleet: {
    exit: 2,
    message: "The run {run} is an agent of the fleet {fleet}: alone it is not run again.",
    hint: "Start agents with `sortie agents launch`.",
  },
  run_name_taken: {
    exit: 2,
    message: "A live run is already called {name} ({run}).",
    hint: "Choose another with --name, or wait until that run has ended.",
  },
  run_name_bad: {
    exit: 2,
    message: "{name} cannot be a run's name: {reason}.",
    hint: "Use letters, digits, dot, hyphen and underscore, at most 80, starting with a letter or digit.",
  },
  target_unsupported: {
    exit: 5,
    message: "This version of Sortie cannot do this on a target of the kind {kind}.",
    hint: "Choose this machine (--target local) or a server over SSH.",
  },
  command_missing: {
    exit: 2,
    message: "No command was given.",
    hint: "Put it behind two hyphens: sortie run -- python train.py --lr 0.1",
  },
  folder_missing: {
    exit: 2,
    message: "The folder {path} is not there: {reason}.",
    hint: "Give an existing one with --cwd, or start from inside it.",
  },
  environment_missing: {
    exit: 2,
    message: "The environment {environment} cannot be activated: {reason}.",
    hint: "{advice}",
  },
  plan_unknown: {
    exit: 2,
    message: "No plan is called {plan}.",
    hint: "Make one with `sortie run …`, or with another command that plans, and confirm the id that it prints.",
  },
  plan_used: {
    exit: 4,
    message: "The plan {plan} was already confirmed: {became}.",
    hint: "{next}",
  },
  plan_expired: {
    exit: 4,
    message: "The plan {plan} expired at {expiresAt}.",
    hint: "Make a new one with the same command.",
  },
  plan_stale: {
    exit: 4,
    message: "The plan {plan} no longer holds: {changes}.",
    hint: "Nothing was done. Make a new plan with the same command, and look at what changed.",
  },
  confirmation_needed: {
    exit: 3,
    message: "Nothing was done: the plan must be confirmed.",
    hint: "Run `sortie confirm {plan}`, or add {flag}.",
  },
  launch_failed: {
    exit: 5,
    message: "The run {run} could not be started: {reason}.",
    hint: "Look at {jobFolder}; `sortie doctor` checks what Sortie needs on this machine.",
  },
  launch_refused: {
    exit: 5,
    retryable: true,
    message: "{host} could not write what the run {run} needs, so nothing was started: {reason}.",
    hint: "Make room for {jobFolder} there, or name another place as `job_dir` in the section; then give the same command again.",
  },
  launch_unsure: {
    exit: 5,
    message: "The run {run} may be running: something failed while it was started ({reason}).",
    hint: "Do not start it again before `sortie show {run}` has told what became of it; `sortie stop {run}` ends it.",
  },
  host_replaced: {
    exit: 5,
    retryable: true,
    message: "{host} is not where {run} was started: another machine or container answers there now.",
    hint: "Look where it went. Where that host is gone for good, `sortie clean --lost {run}` forgets the run.",
  },
  stop_unanswered: {
    exit: 5,
    retryable: true,
    message: "{run} may still be running, for its host did not say that it was stopped: {reason}",
    hint: "Ask again with `sortie stop {run}` once it answers. {advice}",
  },
  run_out_of_reach: {
    exit: 5,
    retryable: true,
    message:
      "{run} cannot be reached from here, so it was left alone: it runs on {host}, perhaps in another container.",
    hint: "Stop it there, or when its host answers again. Where its container is gone for good, `sortie clean --lost {run}` forgets it.",
  },
  folder_kept: {
    exit: 5,
    message: "The folder {folder} on {host} was not removed: {reason}.",
    hint: "Look at it there, and remove it yourself if you do not need it.",
  },
  stop_unfinished: {
    exit: 5,
    retryable: true,
    message: "Stopping {run} did not come to its end: {reason}.",
    hint: "Ask once more with `sortie stop {run}`; `sortie show {run}` tells what is left of it.",
  },
  stop_incomplete: {
    exit: 1,
    message: "{run} was stopped, but not all of it is gone: {survivors}.",
    hint: "What outlives KILL waits for a disk or a driver, as a rule. Look at it with ps and `sortie gpus`, or restart the host.",
  },
  wait_timeout: {
    exit: 124,
    message: "{run} was still {state} after {seconds} s.",
    hint: "It goes on; wait again with `sortie wait {run}`.",
  },
  uncollected: {
    exit: 2,
    message: "{run} has results or a log that were not brought home yet.",
    hint: "Bring them home first: `sortie collect {run}`.",
  },
  log_missing: {
    exit: 1,
    message: "{run} has no log: {reason}.",
    hint: "`sortie show {run}` says what became of it.",
  },
});
