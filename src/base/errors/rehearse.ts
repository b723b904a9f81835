import { defineErrors } from "./define.ts";

export const rehearseErrors = defineErrors({
  rehearsal_empty: {
    exit: 2,
    message: "There is nothing to rehearse: neither --handler nor --agent was given.",
    hint: "Name your handler: sortie rehearse --handler MODULE:FUNCTION",
  },
  rehearsal_folder: {
    exit: 2,
    message: "The folder {path} cannot hold the logs: {reason}.",
    hint: "Pass a folder that you can write to: --keep FOLDER.",
  },
});
