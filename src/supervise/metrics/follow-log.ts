import { openRunMetrics } from "../../metrics/run-metrics.ts";
import type { SeriesSet } from "../../metrics/series/series-set.ts";
import type { FileRange, RangeWish } from "../../runs/file-ranges.ts";
import type { MetricSource } from "./find-source.ts";
import type { KeptLog } from "./metrics-file.ts";

/** The numbers in a log, while it grows. */
export interface FollowedLog {
  readonly set: SeriesSet;
  readonly skipped: number;
  /** What of the log is wanted next. */
  makeWish(path: string, mostBytes: number): RangeWish;
  /** Takes what came of it, from a source of this kind; `more`: there is more to be read. */
  take(
    range: FileRange,
    wish: RangeWish,
    marks: LogMarks & Pick<MetricSource, "isCopy">,
  ): { readonly hasNews: boolean; readonly more: boolean };
  /** What lies before that byte cannot be had: it is neither read nor compared. */
  skipTo(position: number): void;
  /** Reads the last line, too, though it has no end. */
  end(): void;
  save(): KeptLog;
}

/** Lengths of the log, in order, and who is told when it was read up to each. */
export interface LogMarks {
  readonly lengths: readonly number[];
  onReached(length: number): void;
}

/** So far behind, what lies between is given up: where a run stands now tells most. */
const JUMP = { behind: 64 * 1024 * 1024, keep: 8 * 1024 * 1024 };
/** So many bytes before the place where it is read on tell whether it is the same log. */
const BEFORE_BYTES = 64;
const NEW_LINE = Buffer.from("\n");

/** Fails with `metric_pattern_bad`. */
export function followLog(kept: KeptLog | null, patterns: readonly string[]): FollowedLog {
  const metrics = openRunMetrics(kept?.metrics ?? null, patterns);
  let position = kept?.position ?? 0;
  let before: Buffer = Buffer.from(kept?.before ?? "", "base64");
  let skipped = kept?.skipped ?? 0;
  /** How long the copy was when it was last looked at. */
  let copied = 0;

  const restart = () => {
    metrics.restartLog();
    position = 0;
    before = Buffer.alloc(0);
  };
  const skipTo = (to: number) => {
    if (to <= position) {
      before = before.subarray(Math.max(0, before.length - (position - to)));
      return;
    }
    skipped += to - position;
    position = to;
    before = Buffer.alloc(0);
    // What stands there now does not go on with the line that was begun.
    metrics.addBytes(NEW_LINE);
  };

  return {
    get set() {
      return metrics.set;
    },
    get skipped() {
      return skipped;
    },
    makeWish: (path, mostBytes) => ({
      ...{ path, from: position - before.length, most: mostBytes + before.length, jump: JUMP },
    }),
    take: (range, wish, marks) => {
      const { size, from, bytes } = range;
      if (size === null) return { hasNews: false, more: false };
      // A copy that has become shorter was begun anew; else it may only lag behind what was read from the host itself.
      const isAnew = marks.isCopy && size < copied;
      if (marks.isCopy) copied = size;
      if (marks.isCopy && !isAnew && size < position) return { hasNews: false, more: false };
      const isJump = from > wish.from;
      // Cut off, or another file in its place.
      if (isAnew || size < position || (!isJump && !bytes.subarray(0, before.length).equals(before))) {
        restart();
        return { hasNews: true, more: size > 0 };
      }
      if (isJump) skipTo(from);
      const fresh = isJump ? bytes : bytes.subarray(before.length);
      if (fresh.length === 0) return { hasNews: isJump, more: false };
      const start = position;
      for (const length of marks.lengths) {
        if (length < position || length > start + fresh.length) continue;
        metrics.addBytes(fresh.subarray(position - start, length - start));
        position = length;
        marks.onReached(length);
      }
      metrics.addBytes(fresh.subarray(position - start));
      position = start + fresh.length;
      before = Buffer.from(Buffer.concat([before, fresh]).subarray(-BEFORE_BYTES));
      return { hasNews: true, more: position < size };
    },
    ...{ skipTo, end: metrics.end },
    save: () => ({ position, before: before.toString("base64"), skipped, metrics: metrics.save() }),
  };
}
