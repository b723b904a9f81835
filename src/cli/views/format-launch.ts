import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand } from "../../base/quote.ts";
import type { RunRecord } from "../../supervise/find-runs.ts";
import { describeHost } from "../../supervise/host-name.ts";
import { listRunModalRows } from "../../supervise/modal/describe-run.ts";
import type { Verified } from "../../supervise/verify-run.ts";
import { formatPlace } from "./format-place.ts";

/** What a launch made: where the run is, what it has, where its log lies, and which commands come next. */
export function formatLaunch({ run, logBytes, gpuNames, gpuUse }: Verified): string[] {
  const { modal } = run;
  return [
    modal
      ? `${run.name} is started at Modal, and followed from here.`
      : `${run.name} is running on ${describeHost(run.host)}.`,
    `  command   ${quoteCommand(run.request.command)}`,
    ...(modal
      ? listRunModalRows(modal).map(([label, text]) => `  ${label.padEnd(10)}${text}`)
      : [formatGpus(run.gpus, gpuNames, gpuUse)]),
    `  process   ${run.pid ?? "?"}${run.session ? `, screen ${run.session}` : ""}`,
    `  log       ${formatPlace(run, run.log)}${logBytes === 0 ? " (nothing yet)" : ""}`,
    `  expected  ${formatExpected(run.expected)}`,
    `  next      sortie logs -f ${run.name}, sortie wait ${run.name}, sortie stop ${run.name}`,
  ].map(makePrintable);
}

function formatGpus(gpus: RunRecord["gpus"], names: readonly string[], use: Verified["gpuUse"]): string {
  return `  GPU       ${gpus.length === 0 ? "none" : `${[...names, ...gpus].join(", ")} (${use ?? "unknown"})`}`;
}

/** The same for a run that is not started yet. */
export function formatWaiting({ name, waitingFor, request }: RunRecord): string[] {
  return [
    `${name} waits for a GPU: ${waitingFor}`,
    `  command   ${quoteCommand(request.command)}`,
    `  next      sortie show ${name}, sortie stop ${name}`,
  ].map(makePrintable);
}

export function formatExpected({ seconds, source }: RunRecord["expected"]): string {
  if (seconds === null) return "unknown";
  return `${formatDuration(seconds)}${source === "earlier_runs" ? ", as earlier runs took" : ""}`;
}
