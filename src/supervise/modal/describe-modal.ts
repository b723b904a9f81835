import { formatBytes } from "../../base/bytes.ts";
import { formatDollars } from "../../base/dollars.ts";
import { formatDuration } from "../../base/duration.ts";
import { findVolumeFolder } from "../../targets/modal/name-run.ts";
import type { PlanTerms } from "../plan.ts";
import type { ModalTerms } from "./modal-terms.ts";

/** What a plan on Modal has in place of a machine's GPU, Python and time limit, a line a fact. */
export function listModalRows(modal: ModalTerms): [label: string, text: string][] {
  const { secrets, volumes, timeoutS, workspace } = modal;
  return [
    ["app", `${describeApp(modal)}${workspace === null ? "" : `, paid by the workspace ${workspace}`}`],
    ["image", modal.image],
    ["GPU", `${describeGpus(modal.gpus)} (${modal.gpuSource})`],
    ["timeout", timeoutS === null ? "not known" : formatDuration(timeoutS)],
    ["volume", volumes.length === 0 ? "none" : volumes.join(", ")],
    ["secrets", secrets.length === 0 ? "none" : secrets.join(", ")],
    ["results", describeResultsPlace(modal)],
    ["cost", describeCost(modal)],
  ];
}

export function describeApp({
  kind,
  app,
  function: named,
}: Pick<ModalTerms, "kind" | "app" | "function">): string {
  return kind === "launcher" ? `a launcher for ${app}` : `${app}::${named}`;
}

export function describeGpus(gpus: ModalTerms["gpus"]): string {
  if (gpus === "unknown") return "not known";
  return gpus.length === 0 ? "none" : gpus.join(", else ");
}

function describeResultsPlace({ kind, volumes, runId }: ModalTerms): string {
  const [volume] = volumes;
  if (kind === "launcher")
    return `${findVolumeFolder(runId)} on the volume ${volume}, brought home and compared by hash`;
  return volume === undefined
    ? "what it writes here"
    : `where it writes them on ${volumes.join(", ")}: they stay there`;
}

function describeCost({ cost, cap }: ModalTerms): string {
  const most = cap.dollars === null ? "" : `; cap ${formatDollars(cap.dollars)} (${cap.source})`;
  if (cost === null) return `it cannot be told beforehand${most}`;
  const { dollars, seconds, dollarsPerHour } = cost;
  const time = formatDuration(seconds);
  return `at most about ${formatDollars(dollars)}, for all of ${time} at ${formatDollars(dollarsPerHour)} an hour${most}`;
}

/** Everything that confirming will change in the world, in words. */
export function listModalEffects(terms: Pick<PlanTerms, "request" | "jobDir">, modal: ModalTerms): string[] {
  const { request, jobDir } = terms;
  const isLauncher = modal.kind === "launcher";
  return [
    isLauncher
      ? `put ${formatBytes(modal.sent?.bytes ?? 0)} of code from ${request.cwd} into a container at Modal, and run the command there`
      : `start ${describeApp(modal)} at Modal from ${request.cwd}, detached`,
    "follow it with the program `modal` on this machine; it goes on when this machine is off",
    `make a folder for its launcher and log in ${jobDir}`,
    "start Sortie's own process that watches runs, if none does; it goes when none is left",
    ...(isLauncher
      ? [
          `copy results (${request.results.join(", ")}) from the volume to ${request.resultsTo ?? "Sortie's home folder"} at the end`,
        ]
      : []),
  ];
}
