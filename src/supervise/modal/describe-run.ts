import { formatDollars } from "../../base/dollars.ts";
import { formatDuration } from "../../base/duration.ts";
import type { RunModal } from "../../runs/run-modal.ts";
import { findVolumeFolder, nameApp } from "../../targets/modal/name-run.ts";
import { describeApp, describeGpus } from "./describe-modal.ts";
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

/** What is known of a run at Modal, a line a fact. */
export function listRunModalRows(modal: RunModal): [label: string, text: string][] {
  const {
    file,
    kind,
    function: named,
    app,
    appId = null,
    page = null,
    gpus,
    timeoutS,
    volumes,
    secrets,
  } = modal;
  const what = describeApp({ app: file, kind, function: named });
  const place = modal.volumeFolder === null ? "" : `: ${modal.volumeFolder}`;
  return [
    ["app", `${app}${appId === null ? "" : ` (${appId})`}, ${what}`],
    ...(page === null ? [] : [["page", page] as [string, string]]),
    ["GPU", describeGpus(gpus)],
    ["timeout", timeoutS === null ? "not known" : formatDuration(timeoutS)],
    ["volume", volumes.length === 0 ? "none" : `${volumes.join(", ")}${place}`],
    ["secrets", secrets.length === 0 ? "none" : secrets.join(", ")],
    ...(modal.dollarsPerHour === null
      ? []
      : [["cost", `about ${formatDollars(modal.dollarsPerHour)} an hour`] as [string, string]]),
  ];
}
