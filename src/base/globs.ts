import picomatch from "picomatch";

/**
 * Whether a path with `/` between its parts matches one of the globs: `*`, `**`, `?`, `[ab]`, `{a,b}`. A glob that
 * names a folder means all below it; names that begin with a dot match as others do.
 */
export function makeGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(normalizeGlob).flatMap((glob) => (glob === "" ? ["**"] : [glob, `${glob}/**`]));
  // A name may hold a newline, which a plain `.` of a regular expression does not match: hence the flag `s`.
  return patterns.length === 0 ? () => false : picomatch(patterns, { dot: true, nonegate: true, flags: "s" });
}

/** The folder or file from which a walk that looks for the glob starts: its parts before the first wildcard. */
export function findGlobBase(glob: string): string {
  const { base } = picomatch.scan(normalizeGlob(glob));
  const escapeAt = base.indexOf("\\");
  return escapeAt === -1 ? base : base.slice(0, Math.max(0, base.lastIndexOf("/", escapeAt)));
}

/** `./results//` is `results`; `.` is the empty text; an absolute glob stays absolute. */
export function normalizeGlob(glob: string): string {
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  return (glob.startsWith("/") ? "/" : "") + parts.join("/");
}

/** A path as a glob that matches it alone (and all below it). */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?{}[\]()!+@|]/g, "\\$&");
}
