import { formatNumber } from "../format-number.ts";

/** The range of an axis. A range without width is widened, so that a flat line lies in the middle. */
export interface ValueScale {
  readonly min: number;
  readonly max: number;
}

const MOST_DIGITS = 15;

export function makeScale(values: readonly number[]): ValueScale | null {
  const finite = values.filter(Number.isFinite);
  // Hundreds of runs have more values than a call takes arguments.
  const [min, max] = finite.reduce(
    (edges, value) => [Math.min(edges[0], value), Math.max(edges[1], value)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const,
  );
  if (min < max) return { min, max };
  if (finite.length === 0) return null;
  const room = Math.abs(min) * 0.05 || 1;
  return { min: Math.max(min - room, -Number.MAX_VALUE), max: Math.min(max + room, Number.MAX_VALUE) };
}

/** Where a value lies between 0 (`min`) and 1 (`max`); halves first, so that the widest range does not overflow. */
export function findShare({ min, max }: ValueScale, value: number): number {
  const halfWidth = max / 2 - min / 2;
  return halfWidth === 0 ? 0.5 : (value / 2 - min / 2) / halfWidth;
}

/** Round numbers within the scale, about so many: 0, 0.5, 1 and so on. */
export function chooseTicks({ min, max }: ValueScale, count: number): number[] {
  const width = max - min;
  if (!Number.isFinite(width) || width <= 0) return [min, max];
  const rough = width / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step + 1e-9);
  if (!(step > 0) || last - first > 10 * count) return [min, max];
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** The numbers in one digit more than tells them apart, at least those of `formatNumber`. */
export function formatApart(values: readonly number[]): string[] {
  const distinct = new Set(values).size;
  const short = values.map(formatNumber);
  if (new Set(short).size === distinct) return short;
  for (let digits = 5; digits < MOST_DIGITS; digits += 1) {
    const show = (shown: number) => values.map((value) => String(Number(value.toPrecision(shown))));
    if (new Set(show(digits)).size === distinct) return show(digits + 1);
  }
  return values.map(String);
}
