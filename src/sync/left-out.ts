import { formatBytes } from "../base/bytes.ts";

/** Why a file is not in the record, in a code for programs and words for people. */
export const leftOutReasons = {
  secret: "looks like a secret",
  big: "over 50 MB",
  total: "beyond 500 MB in all",
  unreadable: "cannot be read",
  special: "neither a file nor a link",
  output: "a result of the run",
  generated: "made by a program",
} as const;

export type LeftOutReason = keyof typeof leftOutReasons;

export interface LeftOutFile {
  /** Relative to the top folder of the repository; bytes that are not UTF-8 are replaced. */
  readonly path: string;
  readonly bytes: number;
  readonly reason: LeftOutReason;
}

const LISTED = 200;

/** The list as it is kept: what people should know of before results and the like, the largest first, 200 at most. */
export function chooseListed(files: readonly LeftOutFile[]): LeftOutFile[] {
  return [...files]
    .sort((a, b) => Number(isNews(b)) - Number(isNews(a)) || b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
    .slice(0, LISTED);
}

/** `3 files, 1.2 GB (…)` with the largest three named; null where there is nothing that people should know of. */
export function describeLeftOut(files: readonly LeftOutFile[]): string | null {
  const news = files.filter(isNews);
  if (news.length === 0) return null;
  const bytes = news.reduce((sum, file) => sum + file.bytes, 0);
  const named = news.slice(0, 3).map(({ path, reason }) => `${path}: ${leftOutReasons[reason]}`);
  const count = news.length === 1 ? "1 file" : `${news.length} files`;
  return `${count}, ${formatBytes(bytes)} (${named.join("; ")}${news.length > 3 ? "; …" : ""})`;
}

/** Nobody expects results, or what programs made, among the code. */
function isNews({ reason }: LeftOutFile): boolean {
  return reason !== "output" && reason !== "generated";
}
