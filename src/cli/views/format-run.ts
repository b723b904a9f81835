import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand } from "../../base/quote.ts";
import { isEnded, type RunRecord } from "../../supervise/find-runs.ts";
import { findHostNow } from "../../supervise/host-clock.ts";
import { describeHost } from "../../supervise/host-name.ts";
import { listRunModalRows } from "../../supervise/modal/describe-run.ts";
import { findStartFolder } from "../../supervise/start-folder.ts";
import { describeRunWandb } from "../../supervise/wandb/run-link.ts";
import { formatEnding } from "./format-ending.ts";
import { formatLogPlace, formatPlace } from "./format-place.ts";
import { countFiles, formatResult } from "./format-results.ts";
import { describeSilence, formatCostSince, formatUnseen } from "./format-silence.ts";
import { formatMoment, formatSpan } from "./format-time.ts";

const SHOWN_RESULTS = 20;

export interface KeptOffline {
  /** W&B has what the run kept offline. */
  readonly isSent: boolean;
  /** The offline run that was made of its log lies among its results. */
  readonly isForwarded: boolean;
}

/** All that is known of a run, a line a fact; what is not known, or holds no longer, is left out. */
export function formatRun(run: RunRecord, now: Date, { isSent, isForwarded }: KeptOffline): string[] {
  const { git, results, expected, modal } = run;
  const hasEnded = isEnded(run.state);
  const rows: [string, string | null][] = [
    ["id", run.id],
    [
      "state",
      run.reachable ? formatEnding(run) : `${run.state} (${formatUnseen(run, now)}: ${describeSilence(run)})`,
    ],
    ["silent", formatQuiet(run, now)],
    ["silence", run.silence?.reason ?? null],
    ["cost", formatCostSince(run, now)],
    ["next", run.silence?.hint ?? null],
    ["attempt", run.attempt > 1 ? String(run.attempt) : null],
    ["waits for", run.state === "waiting" || run.state === "planned" ? run.waitingFor : null],
    ["cause", run.cause],
    ["evidence", run.evidence],
    ["next", run.nextStep],
    ["target", `${run.target} (${run.kind}), ${modal ? "followed from " : ""}${describeHost(run.host)}`],
    ["command", quoteCommand(run.request.command)],
    ["folder", formatPlace(run, findStartFolder(run))],
    ...(modal ? listRunModalRows(modal) : []),
    ["GPUs", run.gpus.length > 0 ? run.gpus.join(", ") : null],
    ["python", formatPython(run)],
    [
      "code",
      git
        ? `commit ${git.commit?.slice(0, 10) ?? "none"}${git.branch ? ` on ${git.branch}` : ""}, tree ${git.tree.slice(0, 10)}`
        : null,
    ],
    ["process", run.pid === null || hasEnded ? null : String(run.pid)],
    ["screen", hasEnded ? null : run.session],
    ["created", formatMoment(run.createdAt, now)],
    ["started", run.startedAt && formatMoment(run.startedAt, findHostNow(run, now))],
    ["ended", run.endedAt && formatMoment(run.endedAt, findHostNow(run, now))],
    [
      "expected",
      expected.seconds === null ? null : `${formatDuration(expected.seconds)} (${expected.source})`,
    ],
    [modal ? "launcher" : "job folder", run.jobFolder === "" ? null : formatPlace(run, run.jobFolder)],
    ["log", run.jobFolder === "" ? null : formatLogPlace(run)],
    ["W&B", run.wandb ? describeRunWandb(run.wandb, { isSent }) : null],
    ["results", formatResults(run, isForwarded)],
    ...(results ?? []).slice(0, SHOWN_RESULTS).map((file): [string, string] => ["", formatResult(file)]),
    ...run.notes.map((note): [string, string] => ["note", note]),
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== null);
  return [run.name, ...known.map(([label, value]) => `  ${label.padEnd(11)}${makePrintable(value)}`)];
}

function formatResults(run: RunRecord, isForwarded: boolean): string | null {
  if (run.collectFault) return `not brought home: ${run.collectFault}`;
  if (run.results === null) return null;
  if (run.resultsFolder === null) return "none";
  const made = isForwarded ? " and W&B's offline run, made of its log," : "";
  return `${countFiles(run.results)}${made} in ${run.resultsFolder}`;
}

function formatQuiet({ state, quietSince, gpus, name }: RunRecord, now: Date): string | null {
  if (state !== "running" || !quietSince) return null;
  const idle = gpus.length > 0 ? "and its GPUs have done nothing " : "";
  return `it has printed nothing ${idle}for ${formatSpan(quietSince, now)}; look: sortie logs ${name}`;
}

function formatPython({ environment: { label, python } }: RunRecord): string | null {
  return python && `${python.path} ${python.version ?? ""} (${label})`;
}
