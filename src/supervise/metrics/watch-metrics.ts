import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findMirrorSource, findSource } from "./find-source.ts";
import { type FollowedMetrics, followMetrics } from "./follow-metrics.ts";
import { keepQuiet } from "./keep-quiet.ts";
import { findStamp, loadKept, saveKept } from "./metrics-file.ts";

/** What is being read, by the place of the log. */
export type MetricReadings = Map<string, Reading>;

interface Reading {
  readonly followed: FollowedMetrics;
  /** Of what was kept of it last. */
  readonly stamp: string | null;
}

/** All runs of a host together are read for so long in one round: a log that grows faster is read further in the next. */
const ROUND_MS = 500;
const LEAST_MS = 20;

/**
 * Reads what the logs and samples of live runs on one host have grown by, and keeps it. One that cannot be read keeps nobody
 * from the others. @throws the first fault, when all have had their turn
 */
export async function watchMetrics(
  desk: Desk,
  runs: readonly RunRecord[],
  readings: MetricReadings,
): Promise<void> {
  const mostMs = Math.max(LEAST_MS, ROUND_MS / runs.length);
  const faults: unknown[] = [];
  for (const run of runs) {
    await watchOne(desk, run, { readings, mostMs }).catch((fault) => faults.push(fault));
  }
  if (faults.length > 0) throw faults[0];
}

async function watchOne(
  desk: Desk,
  run: RunRecord,
  { readings, mostMs }: { readings: MetricReadings; mostMs: number },
): Promise<void> {
  const followed = openReading(desk, run, readings);
  // Of a host over the network the copy has just been brought up to date.
  const source = run.remote ? findMirrorSource(desk, run) : findSource(desk, run);
  const { hasNews } = await followed.readOn(source, { clock: desk.clock, mostMs });
  if (hasNews) {
    saveKept(desk, run, followed.save(false));
    readings.set(nameReading(run), { followed, stamp: findStamp(desk, run) });
  }
  await keepQuiet(desk, run, followed.quietS);
}

/** A command that has looked at the run meanwhile has read further, and is gone on from. */
function openReading(desk: Desk, run: RunRecord, readings: MetricReadings): FollowedMetrics {
  const key = nameReading(run);
  const stamp = findStamp(desk, run);
  const known = readings.get(key);
  if (known?.stamp === stamp) return known.followed;
  const followed = followMetrics(loadKept(desk, run), run.request.metricPatterns ?? []);
  readings.set(key, { followed, stamp });
  return followed;
}

function nameReading({ id, log }: RunRecord): string {
  return `${id} ${log}`;
}

/** Forgets what was read of runs that are not live any more. */
export function dropReadings(readings: MetricReadings, live: readonly RunRecord[]): void {
  const kept = new Set(live.map(nameReading));
  for (const key of readings.keys()) if (!kept.has(key)) readings.delete(key);
}
