import type { MetricPoint } from "../../metrics/metric-point.ts";
import { decodeSeriesSet, encodeSeriesSet } from "../../metrics/series/encode-series.ts";
import { addToSet, type SeriesSet } from "../../metrics/series/series-set.ts";
import type { KeptSamples } from "./metrics-file.ts";
import { type LogMark, measureSpeed, SPEED } from "./speed-meter.ts";

/** What the host saw of a run every ten seconds, as metrics: memory of its processes, and of each GPU what it tells. */
export interface FollowedSamples {
  readonly position: number;
  readonly set: SeriesSet;
  readonly quietS: number;
  /** Takes what stands there now, from `position` on; true: it brought something. */
  take(bytes: Buffer): boolean;
  /** The lengths that the log had at the samples so far, in order, until `reach` was called with them. */
  listLengths(): number[];
  /** The log was read up to that length: `log` is what it says up to there. */
  reach(length: number, log: SeriesSet): void;
  save(): KeptSamples;
}

/** Of `samples.csv`, behind the GPU's UUID. */
const KINDS = ["memory_mib", "load_percent", "power_w"] as const;
/** A host that slept, or whose clock jumped: such a time says nothing of how long a run was quiet. */
const LONGEST_STEP_S = 120;
const NEW_LINE = 10;

const NONE: KeptSamples = {
  position: 0,
  columns: null,
  series: { schema: 1, dropped: 0, series: [] },
  last: null,
  quietS: 0,
  speed: null,
};

export function followSamples(kept: KeptSamples | null): FollowedSamples {
  let { position, columns, last, quietS, series } = kept ?? NONE;
  let set = decodeSeriesSet(series);
  let speed = kept?.speed ?? null;
  /** Each length once, in order, with the time at which it was seen first; those before `reached` are done with. */
  let marks: LogMark[] = [];
  let reached = 0;

  const addMark = ({ atMs, logBytes }: LogMark) => {
    // A log that was cut off has not the lengths any more that it had.
    if (last !== null && logBytes < last.logBytes) [marks, reached] = [[], 0];
    if (logBytes !== last?.logBytes) marks.push({ atMs, logBytes });
  };

  const takeLine = (line: string, points: MetricPoint[]) => {
    const cells = line.split(",");
    if (columns === null) {
      columns = cells;
      return;
    }
    const sample = readSample(columns, cells);
    if (sample === null) return;
    points.push(...sample.points);
    addMark(sample);
    const stepS = last === null ? 0 : (sample.atMs - last.atMs) / 1000;
    const isQuiet = last !== null && sample.logBytes === last.logBytes && sample.isIdle;
    if (!isQuiet) quietS = 0;
    else if (stepS > 0 && stepS <= LONGEST_STEP_S) quietS += stepS;
    last = { atMs: sample.atMs, logBytes: sample.logBytes };
  };

  return {
    get position() {
      return position;
    },
    get set() {
      return set;
    },
    get quietS() {
      return quietS;
    },
    take: (bytes) => {
      [marks, reached] = [marks.slice(reached), 0];
      // A line that is being written is read when it is whole.
      const end = bytes.lastIndexOf(NEW_LINE) + 1;
      if (end === 0) return false;
      const points: MetricPoint[] = [];
      for (const line of bytes.toString("latin1", 0, end - 1).split("\n")) takeLine(line, points);
      position += end;
      set = addToSet(set, points);
      return true;
    },
    listLengths: () => marks.slice(reached).map(({ logBytes }) => logBytes),
    reach: (length, log) => {
      let mark: LogMark | undefined;
      for (; reached < marks.length && (marks[reached]?.logBytes ?? 0) <= length; reached += 1) {
        mark = marks[reached];
      }
      if (mark?.logBytes !== length) return;
      const { now, point } = measureSpeed(speed, log, mark.atMs);
      speed = now;
      if (point !== null) set = addToSet(set, [point]);
    },
    save: () => ({ position, columns, series: encodeSeriesSet(set), last, quietS, speed }),
  };
}

interface Sample {
  readonly atMs: number;
  readonly logBytes: number;
  /** No GPU of it works; one that does not tell may. */
  readonly isIdle: boolean;
  readonly points: MetricPoint[];
}

/** null: a line that was cut off. */
function readSample(columns: readonly string[], cells: readonly string[]): Sample | null {
  const [time = "", logBytes = "", memory = ""] = cells;
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs) || !/^\d+$/.test(logBytes) || cells.length !== columns.length) return null;
  const makePoint = (metric: string, value: number): MetricPoint => ({
    ...{ metric, value, step: null, epoch: null, atMs },
  });
  const gpus = listGpus(columns);
  const told = gpus.flatMap(({ uuid, name }) =>
    KINDS.flatMap((kind) => {
      const cell = cells[columns.indexOf(`${uuid}_${kind}`)] ?? "";
      return isCount(cell) ? [{ kind, point: makePoint(`${name}/${kind}`, Number(cell)) }] : [];
    }),
  );
  const loads = told.filter(({ kind }) => kind === "load_percent");
  return {
    ...{ atMs, logBytes: Number(logBytes) },
    isIdle: loads.length === gpus.length && loads.every(({ point }) => point.value === 0),
    points: [
      ...(isCount(memory) ? [makePoint("run/memory_mib", Number(memory))] : []),
      ...told.map(({ point }) => point),
    ],
  };
}

/** One GPU is `gpu`; of several each has its number, in the order in which the run has them. */
function listGpus(columns: readonly string[]): { uuid: string; name: string }[] {
  const uuids = columns.flatMap((column) => /^(.+)_load_percent$/.exec(column)?.[1] ?? []);
  return uuids.map((uuid, place) => ({ uuid, name: uuids.length === 1 ? "gpu" : `gpu/${place}` }));
}

function isCount(cell: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(cell);
}

/** Whether a metric is what the host saw, and not what the program said. */
export function isSampled(metric: string): boolean {
  return (
    metric === SPEED ||
    metric === "run/memory_mib" ||
    /^gpu(?:\/\d+)?\/(?:memory_mib|load_percent|power_w)$/.test(metric)
  );
}
