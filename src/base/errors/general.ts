import { defineErrors } from "./define.ts";

export const generalErrors = defineErrors({
  usage: {
    exit: 2,
    message: "{problem}",
    hint: "`{command} --help` shows what it takes.",
  },
  value_bad: {
    exit: 2,
    message: "{what} cannot be {value}: {reason}.",
    hint: "{advice}",
  },
  file_unreadable: {
    exit: 2,
    message: "{path} cannot be read: {reason}.",
    hint: "{advice}",
  },
  output_unwritable: {
    exit: 5,
    message: "The output cannot be written: {reason}.",
    hint: "Free space where it goes, or send it elsewhere. What was started goes on; `sortie ls` shows it.",
  },
  interrupted: {
    exit: 130,
    message: "Interrupted.",
    hint: "Nothing was done.",
  },
  tool_missing: {
    exit: 5,
    message: "{tool} is not installed on {host}.",
    hint: "{advice}",
  },
  internal: {
    exit: 5,
    message: "Sortie met a fault of its own: {reason}.",
    hint: "Please report it with the output of SORTIE_DEBUG=1.",
  },
});
