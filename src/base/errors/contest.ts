import { defineErrors } from "./define.ts";

/** Faults of `sortie challenge` that lie in what was asked for, not in the API. */
export const contestErrors = defineErrors({
  contest_job_none: {
    exit: 2,
    message: "No job is named, and neither the environment nor {file} holds a current one.",
    hint: "`sortie challenge jobs` lists yours; `sortie challenge submit` makes one.",
  },
  contest_job_ambiguous: {
    exit: 2,
    message: "{job} names several jobs: {jobs}.",
    hint: "Name one of them by its number.",
  },
  contest_quota_spent: {
    exit: 1,
    message: "No submission is left: {used} of {limit} are used.",
    hint: "Nothing was sent. Challenges count by the day: ask `sortie challenge quota` tomorrow.",
  },
  contest_parallelism_zero: {
    exit: 1,
    message:
      "The account {user} may run no agent at all (max_concurrent_cases is 0): a job would wait for ever.",
    hint: "Nothing was sent. Ask the organiser to set the parallelism of the account.",
  },
  contest_submission_unsure: {
    exit: 5,
    message:
      "Whether the job {name} was accepted is not known: {reason}. No job of that name was found after.",
    hint: "It was sent once and is not sent again by itself. `sortie challenge jobs` and `quota` tell later what became of it.",
  },
  contest_submission_several: {
    exit: 5,
    message: "The reply to the job {name} was lost, and there are several new jobs of that name: {jobs}.",
    hint: "It was sent once. See which one it is with `sortie challenge jobs`, and name that one by its number.",
  },
  contest_state_unwritten: {
    exit: 5,
    message: "The job {id} ({uuid}) was submitted, but {file} could not be written: {reason}.",
    hint: "Do not submit it again. Repair the file, and name the job: `sortie challenge status {id}`.",
  },
  contest_agents_missing: {
    exit: 5,
    message: "The job {id} ({uuid}) is submitted, but no agent could be launched for it: {reason}",
    hint: "Do not submit again: the job waits. `sortie agents launch` starts its agents.",
  },
  contest_watch_timeout: {
    exit: 124,
    message: "The job {job} was still {state} after {seconds} s.",
    hint: "It goes on; watch again with `sortie challenge watch {job}`.",
  },
});
