import type { MetricPoint } from "../metric-point.ts";
import { followPosition } from "./follow-position.ts";
import { makeReading } from "./line-reading.ts";
import { findSource } from "./line-source.ts";
import { makeNameJudge } from "./name-judge.ts";
import { dropCutWord, readLine } from "./read-line.ts";
import { loadReaderState, type ReaderState, saveReaderState, startReaderState } from "./reader-state.ts";
import { makeSplitter, type Segment } from "./split-segments.ts";
import { stripControls } from "./strip-controls.ts";
import { makeUserPattern } from "./user-pattern.ts";

/** Of a line that is drawn again and again, so many metrics are remembered. */
const MOST_REDRAWN = 1_000;

export interface MetricReaderOptions {
  /** Regular expressions with named groups; a line that one matches is read by it alone. See `makeUserPattern`. */
  readonly patterns?: readonly string[];
  /** What `save` gave, to go on from there. One that is not understood starts at the log's beginning. */
  readonly state?: unknown;
}

/** Reads the numbers out of a log, as its bytes come. */
export interface MetricReader {
  /** The byte of the log from which the next bytes must be. */
  readonly offset: number;
  /** The points that these bytes complete. How the log is cut into pieces changes nothing. */
  readonly read: (bytes: Uint8Array) => MetricPoint[];
  /** The points of a last line without an end, when no more will come; a number that may be cut is left out. */
  readonly end: () => MetricPoint[];
  /** The log was cut off or another took its place: what is known of it is forgotten, and it is read from its beginning. */
  readonly reset: () => void;
  /** Plain JSON from which another reader goes on. */
  readonly save: () => ReaderState;
}

/** Fails with `metric_pattern_bad`. */
export function makeMetricReader({ patterns = [], state }: MetricReaderOptions = {}): MetricReader {
  const userPatterns = patterns.map(makeUserPattern);
  const judge = makeNameJudge();
  const reading = makeReading();
  let known = loadReaderState(state);
  let splitter = makeSplitter(known.splitter);

  const readSegment = ({ text, isRedrawn, isCut }: Segment, points: MetricPoint[]) => {
    const line = stripControls(isCut ? dropCutWord(text) : text);
    if (!userPatterns.some((read) => read(line, reading))) readLine(line, judge, reading);
    const { names, values, atMs } = reading;
    const source = findSource(line) ?? "";
    if (names.length > 0 || reading.step !== null || reading.epoch !== null)
      followPosition(line, reading, source, known.positions);
    const { step, epoch } = reading;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string;
      const metric = source === "" ? name : `${name} (${source})`;
      const point = { metric, value: values[index] as number, step, epoch, atMs };
      if (isRedrawn || known.redrawn.size > 0) {
        if (isSame(known.redrawn.get(metric), point)) continue;
        if (known.redrawn.size >= MOST_REDRAWN) known.redrawn.clear();
        known.redrawn.set(metric, point);
      }
      points.push(point);
    }
    if (!isRedrawn && known.redrawn.size > 0) known.redrawn.clear();
  };

  return {
    get offset() {
      return known.offset;
    },
    read: (bytes) => {
      const points: MetricPoint[] = [];
      splitter.push(bytes, (segment) => readSegment(segment, points));
      known.offset += bytes.length;
      return points;
    },
    end: () => {
      const points: MetricPoint[] = [];
      const segment = splitter.flush();
      if (segment !== null) readSegment(segment, points);
      return points;
    },
    reset: () => {
      known = startReaderState();
      splitter = makeSplitter();
    },
    save: () => saveReaderState({ ...known, splitter: splitter.save() }),
  };
}

/** A bar is drawn again and again: what has not changed since is no new point. */
function isSame(before: MetricPoint | undefined, now: MetricPoint): boolean {
  return (
    before !== undefined &&
    Object.is(before.value, now.value) &&
    before.step === now.step &&
    before.epoch === now.epoch
  );
}
