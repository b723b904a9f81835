import type { Json } from "./replies.ts";

/** Keys of a search that are no filters. */
const settings = ["order", "type", "limit", "allocated_storage", "disable_bundling"];

/** The vendor's CLI sends numbers as text. */
const isSame = (value: unknown, wanted: unknown) => String(value) === String(wanted);

const operators: Record<string, (value: unknown, wanted: unknown) => boolean> = {
  eq: isSame,
  neq: (value, wanted) => !isSame(value, wanted),
  gt: (value, wanted) => Number(value) > Number(wanted),
  gte: (value, wanted) => Number(value) >= Number(wanted),
  lt: (value, wanted) => Number(value) < Number(wanted),
  lte: (value, wanted) => Number(value) <= Number(wanted),
  in: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => isSame(value, one)),
  notin: (value, wanted) => Array.isArray(wanted) && !wanted.some((one) => isSame(value, one)),
};

/** Whether a row passes `{key: {operator: value}}` for every key. A key that no row has, and an unknown operator, fail. */
export function matchesFilters(row: Json, filters: Json): boolean {
  return Object.entries(filters)
    .filter(([key]) => !settings.includes(key))
    .every(([key, tests]) =>
      Object.entries(tests as Json).every(([name, wanted]) => operators[name]?.(row[key], wanted) ?? false),
    );
}

/** Sorted by `[[key, "asc" | "desc"], …]`. */
export function sortRows(rows: readonly Json[], order: unknown): Json[] {
  const keys = Array.isArray(order) ? (order as [string, string][]) : [];
  return [...rows].sort((one, other) => {
    for (const [key, direction] of keys) {
      const difference = Number(one[key]) - Number(other[key]);
      if (difference !== 0) return direction === "desc" ? -difference : difference;
    }
    return 0;
  });
}
