import type { LeftOutFile } from "../left-out.ts";

/** What ends a command of git's in the top folder that is about all files but these. */
export function makePathspec(leftOut: readonly Pick<LeftOutFile, "path">[]): string[] {
  return leftOut.length === 0 ? [] : ["--", ".", ...leftOut.map(({ path }) => `:(exclude,literal)${path}`)];
}
