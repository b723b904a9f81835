/** The candidate with the fewest edits from `word`, if it is within `limit` edits; else undefined. */
export function findNearest(word: string, candidates: readonly string[], limit = 2): string | undefined {
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = countEdits(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The nearest that a person may have meant: one edit, or two where they are less than half of either word. */
export function findLikely(word: string, candidates: readonly string[]): string | undefined {
  const long = word.length > 4 ? candidates.filter((candidate) => candidate.length > 4) : [];
  return findNearest(word, candidates, 1) ?? findNearest(word, long, 2);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function countEdits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}
