/** What has been read from one line; one such object serves for all lines of a log. */
export interface LineReading {
  readonly names: string[];
  readonly values: number[];
  step: number | null;
  epoch: number | null;
  atMs: number | null;
  /** A counter without a name, `10/100`, which is the step where none is named. */
  counter: number | null;
}

export function makeReading(): LineReading {
  return { names: [], values: [], step: null, epoch: null, atMs: null, counter: null };
}

export function clearReading(reading: LineReading): void {
  reading.names.length = 0;
  reading.values.length = 0;
  reading.step = null;
  reading.epoch = null;
  reading.atMs = null;
  reading.counter = null;
}

export function addMetric(reading: LineReading, name: string, value: number): void {
  reading.names.push(name);
  reading.values.push(value);
}

/** The first step of a line is its own; later ones tell of other things, as `best at step 100`. */
export function addPosition(reading: LineReading, kind: "step" | "epoch", value: number): void {
  if (Number.isFinite(value) && value >= 0) reading[kind] ??= value;
}
