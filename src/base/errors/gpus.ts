import { defineErrors } from "./define.ts";

export const gpusErrors = defineErrors({
  gpus_busy: {
    exit: 5,
    retryable: true,
    message: "{wanted} asked for, {free} free: {held}.",
    hint: "Add --wait-gpu to wait in line, or --gpus none to run without a GPU.",
  },
  gpu_taken: {
    exit: 5,
    retryable: true,
    message: "The run {run} was not started: its GPU was taken by another first ({held}).",
    hint: "Start it again with --wait-gpu to wait in line; `sortie gpus` shows who holds each.",
  },
  gpus_too_few: {
    exit: 2,
    message: "{wanted} asked for, but the host has {there}.",
    hint: "`sortie gpus` lists them; ask for fewer with --gpus.",
  },
  gpu_unknown: {
    exit: 2,
    message: "The host has no GPU {gpu}; it has {known}.",
    hint: "`sortie gpus` lists them; --gpu takes an index or a UUID.",
  },
  gpus_unfit: {
    exit: 5,
    message: "{wanted} asked for, but {why}.",
    hint: "Repair that (`sortie gpus` shows each GPU), or add --gpus none to run without a GPU.",
  },
  gpus_unasked: {
    exit: 5,
    retryable: true,
    message: "{host} could not be asked about its GPUs: {reason}.",
    hint: "Check that you can run a command there; `sortie doctor` tells more.",
  },
});
