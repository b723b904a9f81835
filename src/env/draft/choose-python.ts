/** The most likely to have wheels of everything first. */
const MINORS = [11, 12, 10, 13, 9, 14, 8, 7];

/**
 * A version for a project that takes several, as in `requires-python`: `>=3.9,<3.12` gives 3.11. One that is pinned is
 * kept whole. null: none of Python 3 is meant, or the words are not understood.
 */
export function choosePython(specifier: string): string | null {
  const clauses = specifier
    .split(",")
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
  const parsed = clauses.map(parseClause);
  if (parsed.length === 0 || parsed.includes(null)) return null;
  const pinned = clauses.map((clause) => /^={1,3}\s*(3\.\d+\.\d+)$/.exec(clause)?.[1]).find(Boolean);
  if (pinned !== undefined) return pinned;
  const minor = MINORS.find((candidate) => parsed.every((allows) => allows?.(candidate)));
  return minor === undefined ? null : `3.${minor}`;
}

/** Which minor versions of Python 3 a clause allows, some patch of them at least. */
function parseClause(clause: string): ((minor: number) => boolean) | null {
  const [, operator = "", major, minorText, patchText] =
    /^(>=|<=|==|===|!=|~=|>|<|\^|=|)\s*(\d+)(?:\.(\d+|\*))?(?:\.(\d+|\*))?$/.exec(clause) ?? [];
  if (major === undefined) return null;
  const named = minorText === undefined || minorText === "*" ? null : Number(minorText);
  // Where only a major version is named, it stands for the first of Python 3, or the one past it.
  const limit = Number(major) < 3 ? -1 : Number(major) > 3 ? Number.POSITIVE_INFINITY : (named ?? 0);
  const patch = patchText === undefined || patchText === "*" ? 0 : Number(patchText);
  switch (operator) {
    case ">=":
    case "^":
      return (minor) => minor >= limit;
    case ">":
      return (minor) => (patchText === undefined ? minor > limit : minor >= limit);
    case "<":
      return (minor) => (patch > 0 ? minor <= limit : minor < limit);
    case "<=":
      return (minor) => minor <= limit;
    case "!=":
      return (minor) => minor !== limit || (patchText !== undefined && patchText !== "*");
    case "~=":
      return (minor) => (patchText === undefined ? minor >= limit : minor === limit);
    default:
      return named === null ? (minor) => minor >= limit : (minor) => minor === limit;
  }
}
