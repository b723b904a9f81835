import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import type { Series } from "../../metrics/series/series.ts";
import { MOST_METRICS } from "../../metrics/series/series-set.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { isSilence } from "../silence.ts";
import { findMirrorSource, findSource } from "./find-source.ts";
import { type FollowedMetrics, followMetrics } from "./follow-metrics.ts";
import { loadKept, saveKept } from "./metrics-file.ts";
import { readResultFiles } from "./read-result-files.ts";

/** The metrics of a run, as its log stands now. */
export interface LoadedMetrics {
  readonly series: ReadonlyMap<string, Series>;
  /** What of them is not as one may think, in sentences for people. */
  readonly notes: readonly string[];
}

/** So long a command reads; what it has not come to by then, the watcher does. */
const MOST_MS = 3_000;
const NO_ANSWER = "its host does not answer";

/**
 * The metrics of the run's last attempt, with all that its log says by now; what was read is kept. Of a run that has ended and is
 * home everything is read, once.
 */
export async function loadMetrics(
  desk: Desk,
  run: RunRecord,
  { mostMs = MOST_MS }: { readonly mostMs?: number } = {},
): Promise<LoadedMetrics> {
  const kept = loadKept(desk, run);
  const followed = followMetrics(kept, run.request.metricPatterns ?? []);
  if (kept?.isWhole || run.startedAt === null) return describe(followed, []);
  const { isBehind, silence } = await readNow(desk, run, followed, mostMs);
  const isHome = isEnded(run.state) && run.results !== null;
  if (isHome && !followed.hasFiles()) followed.setFiles(await readResultFiles(run));
  const hasEnded = isEnded(run.state) && !isBehind && silence === null;
  // Until it is home more may come, and what would be read after an end would not go on with it.
  if (!isHome) keepQuietly(desk, run, followed, false);
  if (hasEnded) followed.end();
  if (isHome) keepQuietly(desk, run, followed, hasEnded);
  const late = isBehind ? ["the log is longer than what was read of it so far"] : [];
  return describe(followed, [...late, ...(silence === null ? [] : [silence])]);
}

async function readNow(desk: Desk, run: RunRecord, followed: FollowedMetrics, mostMs: number) {
  const { clock } = desk;
  try {
    // Who has just looked for the run has waited for its host already.
    const isSilent = run.remote && !run.reachable && run.results === null;
    const source = isSilent ? findMirrorSource(desk, run) : findSource(desk, run);
    const { isBehind } = await followed.readOn(source, { clock, mostMs });
    return { isBehind, silence: isSilent ? (run.silence?.reason ?? NO_ANSWER) : null };
  } catch (fault) {
    // A log that somebody made a folder of, or closed to us, hides nothing else of the run.
    if (!(fault instanceof SortieError) || !isSilence(fault)) {
      return { isBehind: false, silence: `its numbers cannot be read: ${describeFault(fault)}` };
    }
    await followed.readOn(findMirrorSource(desk, run), { clock, mostMs });
    return { isBehind: false, silence: fault.message };
  }
}

function keepQuietly(desk: Desk, run: RunRecord, followed: FollowedMetrics, isWhole: boolean): void {
  try {
    saveKept(desk, run, followed.save(isWhole));
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault; // a full disk: it is read again next time
  }
}

function describe(followed: FollowedMetrics, notes: readonly string[]): LoadedMetrics {
  const { skipped, dropped, problems } = followed;
  const left =
    skipped === 0 ? [] : [`${formatBytes(skipped)} of the log were not read for numbers: it grew too fast`];
  const many =
    dropped === 0
      ? []
      : [`the first ${MOST_METRICS} metrics are kept: ${countOf(dropped, "number")} of others left out`];
  return { series: followed.listSeries(), notes: [...notes, ...left, ...many, ...problems] };
}
