import { join } from "node:path";

/** Files of a run on Modal, in its job folder. */
export function nameModalFiles(jobFolder: string) {
  return {
    launcher: join(jobFolder, "launcher.py"),
    order: join(jobFolder, "modal.json"),
    end: join(jobFolder, "modal-end.json"),
  };
}
