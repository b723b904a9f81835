import { createHash } from "node:crypto";
import type { Config } from "./load-config.ts";
import type { Target } from "./target.ts";

/**
 * A hash of what a target's section and the file-wide defaults mean: comments, notes, lines and the order of keys
 * make no difference. A plan rests on it.
 */
export function hashSection(config: Config, target: Target): string {
  const {
    lines: _lines,
    notes: _notes,
    heading: _heading,
    gpuNote: _gpuNote,
    source: _source,
    ...meaning
  } = target;
  const defaults = Object.fromEntries([...config.defaults].map(([name, { value }]) => [name, value]));
  return createHash("sha256")
    .update(JSON.stringify(sortKeys({ ...meaning, defaults })))
    .digest("hex");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
