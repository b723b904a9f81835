import type { RunModal } from "../../runs/run-modal.ts";
import { findVolumeFolder, nameApp } from "../../targets/modal/name-run.ts";
import type { ModalTerms } from "./modal-terms.ts";

/** For the record of the run. */
export function describeRunModal(modal: ModalTerms): RunModal {
  const {
    app,
    kind,
    function: named,
    workspace,
    gpus,
    timeoutS,
    volumes,
    secrets,
    cost,
    states,
    runId,
  } = modal;
  return {
    ...{ file: app, kind, function: named, app: nameApp(runId), workspace, gpus, timeoutS, volumes, secrets },
    volumeFolder: kind === "launcher" ? findVolumeFolder(runId) : null,
    dollarsPerHour: cost?.dollarsPerHour ?? null,
    states: states as Readonly<Record<string, string>>,
  };
}
