const MARK_LINES = 5;

/**
 * The lines at the end of a log that come after what has been seen of it, which may have other lines at its very end. Where
 * nothing of it is found in the log, all of it is new.
 */
export function findNewLines(seen: readonly string[], log: readonly string[]): readonly string[] {
  for (let end = log.length; end > 0; end -= 1) {
    const mark = log.slice(Math.max(0, end - MARK_LINES), end);
    if (mark.some((line) => line.trim() !== "") && holds(seen, mark)) return log.slice(end);
  }
  return log;
}

function holds(lines: readonly string[], mark: readonly string[]): boolean {
  for (let at = lines.length - mark.length; at >= 0; at -= 1)
    if (mark.every((line, index) => line === lines[at + index])) return true;
  return false;
}
