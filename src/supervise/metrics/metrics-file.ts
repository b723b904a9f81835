import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  isFlag,
  isListOf,
  isNumber,
  isOrNull,
  isShape,
  isText,
  isTextList,
  parseJson,
} from "../../base/shape.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import type { StoredSeriesSet } from "../../metrics/series/encode-series.ts";
import { nameJobFiles } from "../../runs/job-folder.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import type { StepAtTime } from "./speed-meter.ts";

/** What is kept of the metrics of one attempt of a run, a file each: as JSON, since nothing looks into it but by run. */
export interface KeptMetrics {
  readonly schema: 1;
  readonly log: KeptLog;
  readonly samples: KeptSamples;
  /** What the files of metrics among the results hold; null until they were read. */
  readonly files: { readonly series: StoredSeriesSet; readonly problems: readonly string[] } | null;
  /** The run has ended, and all that there is of it was read. */
  readonly isWhole: boolean;
}

export interface KeptLog {
  /** The byte from which it is read on. */
  readonly position: number;
  /** The bytes just before that, in base64: where others stand there now, it is another log. */
  readonly before: string;
  /** Bytes that were left out, since the log grew faster than it was read. */
  readonly skipped: number;
  /** What `RunMetrics.save` gave. */
  readonly metrics: unknown;
}

export interface KeptSamples {
  readonly position: number;
  /** The names of its columns; null until they were read. */
  readonly columns: readonly string[] | null;
  readonly series: StoredSeriesSet;
  readonly last: { readonly atMs: number; readonly logBytes: number } | null;
  /** For so long nothing was printed and no GPU worked, by the samples. */
  readonly quietS: number;
  readonly speed: StepAtTime | null;
}

const isSeriesLike = isShape<Pick<StoredSeriesSet, "schema">>({ schema: isNumber });

const isKept = isShape<KeptMetrics>({
  schema: (value) => value === 1,
  log: isShape<KeptLog>({ position: isNumber, before: isText, skipped: isNumber, metrics: () => true }),
  samples: isShape<KeptSamples>({
    position: isNumber,
    columns: isOrNull(isTextList),
    series: isSeriesLike,
    last: isOrNull(isShape<NonNullable<KeptSamples["last"]>>({ atMs: isNumber, logBytes: isNumber })),
    quietS: isNumber,
    speed: isOrNull(isShape<StepAtTime>({ metric: isText, step: isNumber, atMs: isNumber })),
  }),
  files: isOrNull(
    isShape<NonNullable<KeptMetrics["files"]>>({ series: isSeriesLike, problems: isListOf(isText) }),
  ),
  isWhole: isFlag,
});

/** null: nothing was kept, or nothing that is understood: then all is read anew. */
export function loadKept(desk: Pick<Desk, "home">, run: RunRecord): KeptMetrics | null {
  try {
    return parseJson(readFileSync(findPlace(desk, run), "utf8"), isKept);
  } catch {
    return null; // there is none
  }
}

/** @throws home_unwritable */
export function saveKept(desk: Pick<Desk, "home">, run: RunRecord, kept: KeptMetrics): void {
  writeFileAtomic(findPlace(desk, run), JSON.stringify(kept), { mode: 0o600, durable: false });
}

/** Changes whenever something is kept, by whomever; null: nothing is. */
export function findStamp(desk: Pick<Desk, "home">, run: RunRecord): string | null {
  const stats = statSync(findPlace(desk, run), { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeMs}`;
}

/** The attempt whose log is the run's: one that was never started has none. */
export function findMeasuredAttempt({ jobFolder, attempt, log }: RunRecord): number {
  for (let tried = attempt; tried > 1; tried -= 1)
    if (nameJobFiles(jobFolder, tried).log === log) return tried;
  return 1;
}

function findPlace({ home }: Pick<Desk, "home">, run: RunRecord): string {
  return join(home.metrics, run.id, `${findMeasuredAttempt(run)}.json`);
}

export function removeMetrics({ home }: Pick<Desk, "home">, id: string): void {
  rmSync(join(home.metrics, id), { recursive: true, force: true });
}
