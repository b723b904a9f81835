import { formatDuration } from "../../base/duration.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { type ModalEnd, readModalEnd } from "./follow/modal-end.ts";
import { nameModalFiles } from "./modal-files.ts";

/** What a run's end at Modal changes of the end that this machine has seen. */
export function explainModalEnd(run: RunRecord, seen: Partial<RunRecord>): Partial<RunRecord> {
  const { modal } = run;
  if (!modal) return seen;
  const end = readModalEnd(nameModalFiles(run.jobFolder).end);
  if (end === null) return run.startedAt === null ? seen : { ...seen, ...explainUntold(run, seen) };
  const { appId, page, fault } = end;
  return { ...seen, modal: { ...modal, appId, page, fault }, ...explain(run, seen, end) };
}

/** Its follower was killed: what goes on at Modal costs money. */
function explainUntold(
  { modal, state, name }: RunRecord,
  { endReason }: Partial<RunRecord>,
): Partial<RunRecord> {
  if (state === "succeeded" || endReason === "never_started") return {};
  const look = `\`modal app list\` shows whether ${modal?.app} still runs at Modal; \`modal app stop ${modal?.app}\` stops it`;
  return { nextStep: `${look}. Once it is over, \`sortie collect ${name}\` brings its results home.` };
}

function explain(run: RunRecord, { endReason }: Partial<RunRecord>, end: ModalEnd): Partial<RunRecord> {
  const { exit, fault, doubt } = end;
  if (endReason === "stopped") return doubt === null ? {} : { nextStep: doubt };
  if (exit?.reason === "time_limit") {
    const limit = run.modal?.timeoutS ?? null;
    return {
      endReason: "time_limit",
      cause: `Its time limit at Modal${limit === null ? "" : ` (${formatDuration(limit)})`} was reached.`,
      nextStep:
        "Set a longer `modal_timeout` (24 h at most), or let the command save and go on in a further run.",
    };
  }
  if (exit?.reason === "never_started") return { endReason: "never_started" };
  if (fault !== null) {
    return {
      endReason:
        fault.kind === "timeout" ? "time_limit" : fault.kind === "network" ? "unknown" : "launch_failed",
      cause: `Modal reports an error of the ${fault.kind}.`,
      evidence: fault.line,
      nextStep: fault.advice,
    };
  }
  if (doubt === null) return {};
  const nextStep = `Look at its log, at what it has left on its volume, and at \`modal app logs ${run.modal?.app}\`.`;
  return { endReason: "unknown", cause: doubt.endsWith(".") ? doubt : `${doubt}.`, nextStep };
}
