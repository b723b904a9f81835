import type { Clock } from "../../base/clock.ts";
import { decodeSeriesSet } from "../../metrics/series/encode-series.ts";
import type { Series } from "../../metrics/series/series.ts";
import type { MetricSource } from "./find-source.ts";
import { followLog } from "./follow-log.ts";
import { followSamples } from "./follow-samples.ts";
import { mergeSeries } from "./merge-series.ts";
import type { KeptMetrics } from "./metrics-file.ts";

/** The metrics of one attempt of a run, as they come. */
export interface FollowedMetrics {
  /** Bytes of the log that were not read for numbers. */
  readonly skipped: number;
  /** Numbers of metrics beyond as many as are kept. */
  readonly dropped: number;
  readonly quietS: number;
  /** What files of metrics could not be read of. */
  readonly problems: readonly string[];
  listSeries(): ReadonlyMap<string, Series>;
  /** Reads what there is, for at most so long. @throws what keeps a host from answering */
  readOn(source: MetricSource, options: ReadOptions): Promise<{ hasNews: boolean; isBehind: boolean }>;
  setFiles(files: NonNullable<KeptMetrics["files"]>): void;
  hasFiles(): boolean;
  /** Nothing more comes. */
  end(): void;
  save(isWhole: boolean): KeptMetrics;
}

export interface ReadOptions {
  readonly clock: Clock;
  readonly mostMs: number;
}

/** So much in one go: others are heard between. */
const BLOCK_BYTES = 512 * 1024;

/** Fails with `metric_pattern_bad`. */
export function followMetrics(kept: KeptMetrics | null, patterns: readonly string[]): FollowedMetrics {
  const log = followLog(kept?.log ?? null, patterns);
  const samples = followSamples(kept?.samples ?? null);
  let files = kept?.files ?? null;

  return {
    get skipped() {
      return log.skipped;
    },
    get dropped() {
      return log.set.dropped + (files?.series.dropped ?? 0);
    },
    get quietS() {
      return samples.quietS;
    },
    get problems() {
      return files?.problems ?? [];
    },
    listSeries: () => mergeSeries(log.set, files && decodeSeriesSet(files.series), samples.set),
    readOn: async (source, { clock, mostMs }) => {
      const endMs = clock.monotonicMs() + mostMs;
      let hasNews = false;
      log.skipTo(source.holeEnd);
      for (;;) {
        const wish = log.makeWish(source.log, BLOCK_BYTES);
        const samplesWish = { path: source.samples, from: samples.position, most: BLOCK_BYTES };
        const [range, sampled] = await source.read(wish, samplesWish);
        const hasSamples = samples.take(sampled.bytes);
        const taken = log.take(range, wish, {
          isCopy: source.isCopy,
          lengths: samples.listLengths(),
          onReached: (length) => samples.reach(length, log.set),
        });
        hasNews ||= taken.hasNews || hasSamples;
        const more = taken.more || (hasSamples && samples.position < (sampled.size ?? 0));
        if (!more) return { hasNews, isBehind: false };
        if (clock.monotonicMs() >= endMs) return { hasNews, isBehind: true };
        await clock.sleep(0);
      }
    },
    setFiles: (read) => {
      files = read;
    },
    hasFiles: () => files !== null,
    end: log.end,
    save: (isWhole) => ({ schema: 1, log: log.save(), samples: samples.save(), files, isWhole }),
  };
}
