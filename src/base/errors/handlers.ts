import { defineErrors } from "./define.ts";

/** `sortie agent` ends with 1 over each of them, as the challenge's own text has it. */
export const handlersErrors = defineErrors({
  handler_spec_bad: {
    exit: 2,
    message: "{spec} names no handler: {reason}.",
    hint: "Write MODULE:FUNCTION, FOLDER/MODULE:FUNCTION or FILE.py:FUNCTION for Python, FILE.js or FILE.js:EXPORT for JavaScript.",
  },
  handler_not_found: {
    exit: 2,
    message: "The handler {spec} was not found: {reason}.",
    hint: "{advice}",
  },
  handler_no_function: {
    exit: 1,
    message: "{module} has no function {name}.",
    hint: "{advice}",
  },
  handler_unfit: {
    exit: 1,
    message: "{name} in {module} cannot answer frames: {reason}.",
    hint: "{advice}",
  },
  handler_syntax: {
    exit: 1,
    message: "The handler {spec} could not be imported: {reason} in {file}, line {line}.",
    hint: "Correct this line: {text}",
  },
  handler_import_failed: {
    exit: 1,
    message: "The handler {spec} could not be imported: {reason}.",
    hint: "{advice}",
  },
  handler_not_started: {
    exit: 1,
    message: "{program} could not be started for the handler {spec}: {reason}.",
    hint: "{advice}",
  },
  handler_slow: {
    exit: 1,
    message: "The handler {spec} was not {done} within {limit}.",
    hint: "If it needs longer, allow more time with --load-timeout.",
  },
  handler_fault: {
    exit: 1,
    message: "The handler failed in {call}: {reason}.",
    hint: "The log shows where.",
  },
  handler_died: {
    exit: 1,
    message: "The handler ended {when}: {end}.",
    hint: "The log's last lines before this one are its own; they may say why.",
  },
  handler_stopped: {
    exit: 1,
    message: "The handler was stopped while it was busy.",
    hint: "Nothing needs to be done: the agent had ended.",
  },
});
