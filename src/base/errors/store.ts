import { defineErrors } from "./define.ts";

export const storeErrors = defineErrors({
  home_unwritable: {
    exit: 5,
    retryable: true,
    message: "{path} cannot be written: {reason}.",
    hint: "Free space or permissions there, or set SORTIE_HOME to a folder that you can write.",
  },
  store_corrupt: {
    exit: 5,
    message: "The database {path} is damaged: {reason}. It was left as it is.",
    hint: "Move it aside and run `sortie adopt`, which rebuilds it from the job folders.",
  },
  store_newer: {
    exit: 5,
    message: "The database {path} was written by a newer Sortie (schema {found}, this one knows {known}).",
    hint: "Update Sortie, or set SORTIE_HOME to another folder.",
  },
  store_busy: {
    exit: 5,
    retryable: true,
    message: "The database {path} stayed locked by another process for {seconds} s.",
    hint: "Try again; `sortie doctor` shows which processes of Sortie are alive.",
  },
});
