import { quoteCommand, quotePath } from "../base/quote.ts";
import { makeSettings } from "../base/script.ts";
import { findStarts, type ListedFile, pickResults } from "./find-results.ts";
import { expandGlobs, type Made, type MadeWish, type Span } from "./made-files.ts";
import listMade from "./scripts/list-made.sh";

/** One question to a host over the network about what a run has made; it goes to `sh -s` by stdin. */
export function makeMadeScript(wish: MadeWish, token: string): string {
  const { folder, globs, run, others } = wish;
  const starts = new Set(findStarts({ folder, globs }).map(nameStart));
  return [
    makeSettings({ sortie_token: token, sortie_folder: folder, sortie_record: run.pid }),
    listMade,
    "begin",
    ...[run, ...others].map(({ pid, exit }) => quoteCommand(["span", pid, exit])),
    ...[...starts].map((start) => `list_below ${quotePath(start)}`),
    `printf 'end=%s\\n' "$sortie_token"`,
  ].join("\n");
}

/** A name that begins with a hyphen is no option. */
function nameStart(start: string): string {
  if (start === "") return ".";
  return /^(\/|~\/|~$)/.test(start) ? start : `./${start}`;
}

/** null when the answer is not whole. */
export function parseMadeAnswer(printed: Buffer, { folder, globs }: MadeWish, token: string): Made | null {
  const begin = `begin=${token}\n`;
  const start = printed.indexOf(begin);
  const end = printed.lastIndexOf(`end=${token}`);
  if (start === -1 || end === -1) return null;
  const records = splitRecords(printed.subarray(start + begin.length, end));
  const home = records.find(([kind]) => kind === "home")?.[1].toString() ?? null;
  const listed = records.flatMap(([kind, rest]) => (kind === "file" ? (readFile(rest) ?? []) : []));
  const [span = UNKNOWN, ...others] = records.flatMap(([kind, rest]) =>
    kind === "span" ? [readSpan(rest)] : [],
  );
  const { startMs } = span;
  const scope = { folder, globs: expandGlobs(globs, home) };
  const files = startMs === null ? [] : pickResults(listed, { ...scope, sinceMs: startMs });
  return { span, others, files, home };
}

const UNKNOWN: Span = { startMs: null, endMs: null };

/** Each is a word, a space and the rest, and ends with a NUL. */
function splitRecords(bytes: Buffer): [kind: string, rest: Buffer][] {
  const records: [string, Buffer][] = [];
  for (let at = 0, end = bytes.indexOf(0); end !== -1; at = end + 1, end = bytes.indexOf(0, at)) {
    const space = bytes.indexOf(" ", at);
    records.push([bytes.toString("latin1", at, space), bytes.subarray(space + 1, end)]);
  }
  return records;
}

function readSpan(rest: Buffer): Span {
  const [start, end] = rest.toString("latin1").split(" ").map(readTimeMs);
  return { startMs: start ?? null, endMs: end ?? null };
}

/** `BYTES CHANGED STATUS_CHANGED PATH`; a path that does not begin with `/` lies below the folder. */
function readFile(rest: Buffer): ListedFile | null {
  const [head, bytes, changed, status] = /^(\d+) (\S+) (\S+) (?:\.\/)?/.exec(rest.toString("latin1")) ?? [];
  if (head === undefined || changed === undefined || status === undefined) return null;
  const changedMs = Math.max(readTimeMs(changed) ?? 0, readTimeMs(status) ?? 0);
  return { path: rest.subarray(head.length), bytes: Number(bytes), changedMs };
}

/** null for `-`, which stands for a file that is not there. */
function readTimeMs(seconds: string): number | null {
  const number = Number(seconds);
  return Number.isFinite(number) ? number * 1000 : null;
}
