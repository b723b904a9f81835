import { defineRows, INSIDE } from "../diagnosis-row.ts";

const stages = INSIDE;

/** Files of weights that are closed, absent, cut, or of another model. */
export const weightRows = defineRows([
  {
    code: "access_refused",
    layer: "weights",
    when: {
      stages,
      log: {
        in: "exception",
        line: /GatedRepoError|RepositoryNotFoundError|You are trying to access a gated repo|Access to model \S+ is restricted|40[13] Client Error.*huggingface/,
      },
    },
    cause:
      "The place that the weights come from refused access: the token is missing, or has no right to them.",
    next: "Ask for access on the model's page, and give the token by --env-file (HF_TOKEN), never in the spec.",
  },
  {
    code: "weights_pointer",
    layer: "weights",
    when: { stages, log: { in: "end", line: /invalid load key, 'v'/ } },
    cause: "A file of weights is a pointer of Git LFS: the weights themselves were never fetched.",
    next: "`git lfs pull` in the folder of the weights, on the host where they are used.",
  },
  {
    code: "weights_cut",
    layer: "weights",
    when: {
      stages,
      log: {
        in: "end",
        line: /invalid load key, '|HeaderTooSmall|header too small|InvalidHeader|header too large|HeaderTooLarge|MetadataIncompleteBuffer|incomplete metadata|EOFError: Ran out of input|PytorchStreamReader failed|unexpected EOF, expected \d+ more bytes|UnpicklingError: pickle data was truncated|truncated file: eof|file signature not found/i,
      },
    },
    cause:
      "A file of weights is empty, cut, or no such file: its download broke off, or saved an error's page.",
    next: "Find it by its size (`ls -l`), delete it, fetch it anew, and compare size or sha256 with the source's.",
  },
  {
    code: "weights_missing",
    layer: "weights",
    when: {
      stages,
      log: {
        in: "exception",
        line: /does not appear to have a file named|Error no file named|couldn't find them in the cached files|LocalEntryNotFoundError|is not a local folder and is not a valid model|HFValidationError|Repo id must be in the form|outgoing traffic has been disabled/,
      },
    },
    cause: "The weights are not where the program looks for them.",
    next: "Name their folder in `weight_dirs` with the variable that programs read (HF_HOME), and fetch them there before.",
  },
  {
    code: "weights_other_model",
    layer: "weights",
    when: { stages, log: { in: "exception", line: /Error\(s\) in loading state_dict for (?<model>\w+)/ } },
    cause: "The weights are not those of {model} as this code builds it: names or sizes differ.",
    next: "Use the checkpoint of this model and version; the lines below it in the log list what differs.",
  },
]);
