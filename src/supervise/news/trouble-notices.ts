import { formatDuration } from "../../base/duration.ts";
import type { ErrorNotice, ProgressNotice } from "../../notify/notice.ts";
import type { RunRecord } from "../../runs/run-record.ts";

/** Results that were tried to bring home again and again. */
export function makeAwayNotice({ id, name, collectFault }: RunRecord, now: Date): ErrorNotice {
  return {
    ...{ kind: "error", phase: "results", subject: id, at: now.toISOString() },
    what: `the results of ${name} could not be brought home`,
    message: collectFault ?? "The reason is not known.",
    lines: [`They stay where they are. Try: sortie collect ${name}`],
  };
}

/** An agent whose attempt ended badly, and which is started again. */
export function makeRestartNotice({ id, name, seat, waitingFor, attempt }: RunRecord): ProgressNotice {
  return {
    ...{ kind: "fleet", phase: `restart-${seat?.restarts ?? attempt}`, subject: id, isBad: true },
    at: seat?.attemptEndedAt ?? "",
    title: `Agent ${seat?.number ?? ""} is started again: ${name}`,
    lines: [
      `fleet ${seat?.fleet ?? ""}, attempt ${attempt}`,
      ...(waitingFor ? [`waits for ${waitingFor}`] : []),
    ],
  };
}

/** A host with live runs of which nothing was heard for long. */
export function makeSilenceNotice(runs: readonly RunRecord[], now: Date): ErrorNotice | null {
  const [first] = runs;
  const since = runs
    .map(({ observedAt }) => observedAt ?? "")
    .sort()
    .at(-1);
  if (first === undefined || !since) return null;
  const seconds = Math.round((now.getTime() - Date.parse(since)) / 1000);
  return {
    // By the last word that was heard of it: the same silence is told once, whichever watcher sees it.
    ...{ kind: "error", phase: `silent-${since}`, subject: `host ${first.host}`, at: now.toISOString() },
    what: `${first.host} does not answer`,
    message: first.silence?.reason ?? "Nobody knows why.",
    lines: [
      `Nothing was heard of it for ${formatDuration(Math.max(0, seconds))}; what runs there may well go on: ${runs.map(({ name }) => name).join(", ")}`,
      ...(first.silence ? [first.silence.hint] : []),
    ],
  };
}

/** A run that lives, and neither prints nor works. Told once for each time that it falls silent. */
export function makeQuietNotice(
  { id, name, gpus, target }: RunRecord,
  since: string,
  now: Date,
): ErrorNotice {
  const seconds = Math.round((now.getTime() - Date.parse(since)) / 1000);
  const idle = gpus.length > 0 ? ", and its GPUs have done nothing" : "";
  return {
    ...{ kind: "error", phase: `quiet-${since}`, subject: id, at: now.toISOString() },
    what: `${name} is silent`,
    message: `It has printed nothing for ${formatDuration(Math.max(0, seconds))}${idle}.`,
    lines: [`run ${id} on ${target}`, `Look: sortie logs ${name}; end it: sortie stop ${name}`],
  };
}
