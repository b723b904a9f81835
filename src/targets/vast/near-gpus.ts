import { findNearest } from "../../base/nearest.ts";

const MOST_NAMES = 6;

/** Of the GPUs that are to be had, each once, those whose names are like the one that was asked for; where none is, the first few. */
export function listNearGpus(wanted: string, names: readonly string[]): string[] {
  const all = [...new Set(names)];
  const word = simplify(wanted);
  const alike = all.filter((name) => simplify(name).includes(word) || word.includes(simplify(name)));
  const likely = findNearest(word, all.map(simplify));
  const near = new Set([...alike, ...all.filter((name) => simplify(name) === likely)]);
  return (near.size > 0 ? [...near] : all).slice(0, MOST_NAMES);
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
