import { defineErrors } from "./define.ts";

/** Faults of the command `sortie agent` itself. It ends with 1 over every fault, as the challenge's own text has it. */
export const agentErrors = defineErrors({
  interpreter_missing: {
    exit: 2,
    message: "There is no Python at {program} ({said}).",
    hint: "Name one that is there with --python.",
  },
  agent_gpu_absent: {
    exit: 1,
    message: "GPU {gpu} was asked for, but there is none here: {why}.",
    hint: "Choose `cpu` in its place to run without a GPU.",
  },
  agent_gpu_taken: {
    exit: 1,
    retryable: true,
    message: "No free GPU for this agent: {held}.",
    hint: "Choose another one, or `cpu` where the handler itself needs none. SORTIE_FREE_MEMORY_MIB says how much use is still free.",
  },
  agent_gpu_unfit: {
    exit: 1,
    message: "The GPUs of this machine cannot be used: {why}.",
    hint: "Repair that, or choose `cpu` to run without a GPU.",
  },
  agent_gpu_not_of_run: {
    exit: 1,
    message: "{gpu} is not surely one of the run {run}, whose GPUs are {visible}.",
    hint: "Name one of those by its UUID, or no GPU at all: the agent has those of the run then.",
  },
  events_unwritable: {
    exit: 1,
    message: "The events cannot be written to {path}: {reason}.",
    hint: "Name another file with --events.",
  },
});
