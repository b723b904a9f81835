/**
 * Seconds that a progress bar at the end of a log still expects, or null. Read from the usual form of tqdm and its
 * like: `12%|██   | 120/1000 [00:10<01:20, 11.9it/s]`.
 */
export function readRemainingS(logTail: string): number | null {
  const bars = [...logTail.matchAll(/\d+\/\d+ \[(?:\d+:)?\d+:\d+<((?:\d+:)?\d+:\d+)[,\]]/g)];
  const remaining = bars.at(-1)?.[1];
  if (!remaining) return null;
  return remaining.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
