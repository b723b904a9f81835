import { encodeNumber, type JsonNumber } from "../../encode-number.ts";
import type { MetricPoint } from "../../metric-point.ts";

/** What a log says in one place, as W&B takes it. */
export interface ForwardRow {
  readonly step: number | null;
  readonly epoch: number | null;
  /** Seconds since 1970; null: the log does not tell. */
  readonly at: number | null;
  readonly values: Readonly<Record<string, JsonNumber>>;
}

/** Puts points together to rows, as they come. */
export interface RowCollector {
  add(points: readonly MetricPoint[]): void;
  /** All rows so far, in their order. */
  list(): readonly ForwardRow[];
}

/** From twice as many on, each two neighbours become one. */
const MOST_ROWS = 50_000;

interface OpenRow {
  step: number | null;
  epoch: number | null;
  at: number | null;
  values: Map<string, number>;
}

/**
 * Points of one place that follow each other are a row, until a metric comes a second time. Of a log with very many rows neighbours
 * are joined, where the later value of a metric counts: so a metric that is said rarely is kept, too.
 */
export function collectRows(mostRows = MOST_ROWS): RowCollector {
  let rows: OpenRow[] = [];
  /** So many rows of the log become one, and so many are in the last one. */
  let width = 1;
  let held = 0;
  let open: OpenRow | null = null;

  const close = () => {
    if (open === null) return;
    const last = rows.at(-1);
    if (last !== undefined && held < width) rows[rows.length - 1] = joinRows(last, open);
    else {
      rows.push(open);
      held = 0;
    }
    held += 1;
    open = null;
    if (rows.length < 2 * mostRows) return;
    rows = joinPairs(rows);
    held += width;
    width *= 2;
  };

  return {
    add: (points) => {
      for (const { metric, value, step, epoch, atMs } of points) {
        if (open !== null && (open.step !== step || open.epoch !== epoch || open.values.has(metric))) close();
        open ??= { step, epoch, at: atMs === null ? null : atMs / 1000, values: new Map() };
        open.values.set(metric, value);
      }
    },
    list: () => {
      close();
      return rows.map(encodeRow);
    },
  };
}

function joinPairs(rows: readonly OpenRow[]): OpenRow[] {
  const joined: OpenRow[] = [];
  for (let at = 0; at < rows.length; at += 2) {
    const [first, second] = [rows[at] as OpenRow, rows[at + 1]];
    joined.push(second === undefined ? first : joinRows(first, second));
  }
  return joined;
}

function joinRows(first: OpenRow, second: OpenRow): OpenRow {
  return { ...second, values: new Map([...first.values, ...second.values]) };
}

/** No name of a metric can change the object itself: they become its own properties. */
function encodeRow({ values, ...place }: OpenRow): ForwardRow {
  const encoded = [...values].map(([metric, value]) => [metric, encodeNumber(value)] as const);
  return { ...place, values: Object.fromEntries(encoded) };
}
