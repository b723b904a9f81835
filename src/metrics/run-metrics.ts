import { isObject } from "../base/shape.ts";
import { makeMetricReader } from "./log/metric-reader.ts";
import type { ReaderState } from "./log/reader-state.ts";
import type { MetricPoint } from "./metric-point.ts";
import { decodeSeriesSet, encodeSeriesSet, type StoredSeriesSet } from "./series/encode-series.ts";
import { addToSet, type SeriesSet } from "./series/series-set.ts";

/** What the store keeps of a run's metrics, as plain JSON. */
export interface StoredRunMetrics {
  readonly schema: 1;
  readonly reader: ReaderState;
  readonly series: StoredSeriesSet;
}

/** The metrics of one run, while its log grows. */
export interface RunMetrics {
  /** The byte of the log from which the next bytes must be. */
  readonly offset: number;
  readonly set: SeriesSet;
  /** Bytes of the log, from `offset` on. */
  readonly addBytes: (bytes: Uint8Array) => void;
  /** Points from elsewhere: files of metrics, W&B. */
  readonly addPoints: (points: readonly MetricPoint[]) => void;
  /** The run has ended: what its last line holds without an end is read too. */
  readonly end: () => void;
  /** The log is shorter than `offset`, or another: it is read from its beginning. What was read stays, since it was said. */
  readonly restartLog: () => void;
  readonly save: () => StoredRunMetrics;
}

/** `stored` is what `save` gave, or nothing; `patterns` as of the reader. Fails with `metric_pattern_bad`. */
export function openRunMetrics(stored: unknown, patterns: readonly string[] = []): RunMetrics {
  const { reader: state, series } = isObject(stored) ? stored : {};
  const reader = makeMetricReader({ patterns, state });
  let set = decodeSeriesSet(series);
  const add = (points: readonly MetricPoint[]) => {
    if (points.length > 0) set = addToSet(set, points);
  };
  return {
    get offset() {
      return reader.offset;
    },
    get set() {
      return set;
    },
    addBytes: (bytes) => add(reader.read(bytes)),
    addPoints: add,
    end: () => add(reader.end()),
    restartLog: reader.reset,
    save: () => ({ schema: 1, reader: reader.save(), series: encodeSeriesSet(set) }),
  };
}
