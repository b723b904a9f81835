import { defineErrors } from "./define.ts";

export const hostingErrors = defineErrors({
  gateway_config_missing: {
    exit: 2,
    message: "There is no configuration of a gateway: {file}.",
    hint: "Write one with `sortie gateway init`, or name another with --config.",
  },
  gateway_config_exists: {
    exit: 2,
    message: "There is a configuration already: {file}. It was left as it is.",
    hint: "Edit it, or choose another folder: sortie gateway init FOLDER",
  },
  gateway_config_unwritable: {
    exit: 5,
    message: "{path} cannot be written: {reason}.",
    hint: "Choose a folder that you can write: sortie gateway init FOLDER",
  },
  gateway_config_bad: {
    exit: 2,
    message: "{file} cannot be used:\n{lines}",
    hint: "Correct these lines. `sortie gateway init FOLDER` writes an example with every key.",
  },
  gateway_data_missing: {
    exit: 2,
    message: "There is no database of a gateway in {folder}.",
    hint: "Start the gateway once, or correct `data_folder` in the configuration.",
  },
  gateway_data_no_folder: {
    exit: 2,
    message: "The gateway's data folder {folder} cannot be used: {reason}.",
    hint: "Correct `data_folder` in the configuration, or put the folder back.",
  },
  gateway_data_gone: {
    exit: 5,
    message: "A gateway worked in {folder}, and its database is gone from there. None was made in its place.",
    hint: "Stop the gateway and put the database back, or a backup; a gateway that is started there makes a new one.",
  },
  gateway_data_unwritable: {
    exit: 5,
    retryable: true,
    message: "The gateway's data cannot be written: {path}: {reason}.",
    hint: "Free space or permissions there, or choose another `data_folder` in the configuration.",
  },
  gateway_data_corrupt: {
    exit: 5,
    message: "The gateway's database {path} is damaged: {reason}. It was left as it is.",
    hint: "Stop the gateway, move it aside, and put a backup (`sortie gateway backup`) in its place.",
  },
  gateway_data_newer: {
    exit: 5,
    message:
      "The gateway's database {path} was written by a newer Sortie (schema {found}, this one knows {known}).",
    hint: "Update Sortie.",
  },
  gateway_data_busy: {
    exit: 5,
    retryable: true,
    message: "The gateway's database {path} stayed locked by another process for {seconds} s.",
    hint: "Try again.",
  },
  listen_unsafe: {
    exit: 2,
    message:
      "--open-simulators lets in simulators without a key, and {place} can be reached from other machines.",
    hint: "Listen on 127.0.0.1 alone, or give each simulator a key: `sortie gateway simulator add BOARD`.",
  },
  user_unknown: {
    exit: 2,
    message: "There is no user {email}.{nearest}",
    hint: "`sortie gateway user ls` shows them.",
  },
  board_unknown: {
    exit: 2,
    message: "There is no board {board}.{nearest}",
    hint: "The configuration {file} has {boards}.",
  },
  simulator_unknown: {
    exit: 2,
    message: "There is no simulator key {id}.",
    hint: "`sortie gateway simulator ls` shows them.",
  },
  gateway_job_unknown: {
    exit: 2,
    message: "There is no job {job}.",
    hint: "`sortie gateway jobs` shows them.",
  },
  gateway_job_over: {
    exit: 2,
    message: "Job {job} has ended already: {state}.",
    hint: "`sortie gateway jobs --state live` shows those that have not.",
  },
  gateway_case_unknown: {
    exit: 2,
    message: "There is no case {case}.",
    hint: "`sortie gateway jobs JOB` shows the cases of a job.",
  },
  nothing_to_requeue: {
    exit: 2,
    message: "Nothing can be queued again: {reason}.",
    hint: "Only cases that failed, or ended without a score, are played again; `sortie gateway jobs JOB` shows them.",
  },
  backup_exists: {
    exit: 2,
    message: "There is a file already: {file}. It was left as it is.",
    hint: "Choose another name, or add --replace.",
  },
  backup_place_bad: {
    exit: 2,
    message: "{file} cannot be replaced: {reason}. It was left as it is.",
    hint: "Choose another name: --replace takes the place of an earlier backup alone.",
  },
  backup_failed: {
    exit: 5,
    retryable: true,
    message: "The backup {file} could not be made: {reason}.",
    hint: "Nothing was left there. Free space or permissions, or choose another place.",
  },
});
