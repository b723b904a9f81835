/** How launchers and programs say which of several processes a line is of. */
const RANK =
  /^\s{0,4}(?:\[(?:rank|default|worker|gpu)[ _:]?(\d{1,6})\]|\[\d{1,6},(\d{1,6})\]<std(?:out|err)>|\[?rank[ :_=]{0,2}(\d{1,6})\b)/i;
const PROCESS = /^\s{0,4}\((?:[\w.]{1,40} )?pid=(\d{1,9})[^)]{0,60}\)/;

/**
 * Which process a line is of, where several write to one log and say so: `rank 1`, `pid 4242`. Rank 0, and a line that
 * says nothing, are the main one: null.
 */
export function findSource(line: string): string | null {
  const first = line.trimStart().charAt(0);
  if (first === "(") {
    const pid = PROCESS.exec(line)?.[1];
    return pid === undefined ? null : `pid ${pid}`;
  }
  if (first !== "[" && first !== "r" && first !== "R") return null;
  const match = RANK.exec(line);
  const rank = match?.[1] ?? match?.[2] ?? match?.[3];
  return rank === undefined || Number(rank) === 0 ? null : `rank ${Number(rank)}`;
}
