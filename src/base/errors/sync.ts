import { defineErrors } from "./define.ts";

export const syncErrors = defineErrors({
  git_failed: {
    exit: 5,
    message: "git {command} failed: {reason}.",
    hint: "Try the same command by hand in {folder}.",
  },
  restore_place_taken: {
    exit: 2,
    message: "The code cannot be written to {path}: {reason}.",
    hint: "Give a folder that is empty or not there yet.",
  },
  results_glob_bad: {
    exit: 2,
    message: "The results pattern {glob} leads out of the run's folder.",
    hint: "Write a path below the folder, or an absolute one if you mean a place outside.",
  },
  results_place_taken: {
    exit: 2,
    message: "Results cannot be brought to {path}: something else is there already.",
    hint: "Move it aside, or choose another place with `--to`.",
  },
  results_gone: {
    exit: 1,
    message: "Not all results could be copied to {path}: {missing} is no longer in {from}.",
    hint: "Everything else is there; look whether the run's own folder still has what is missing.",
  },
  results_unreadable: {
    exit: 5,
    retryable: true,
    message: "The result {path} cannot be read: {reason}. Nothing was brought home.",
    hint: "Give yourself the right to read it, then run `sortie collect` again.",
  },
  results_unwritable: {
    exit: 5,
    retryable: true,
    message: "Results cannot be brought to {path}: {reason}. {left}",
    hint: "Free space or permissions there, then try again; the results are still where the run wrote them.",
  },
});
