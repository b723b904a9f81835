import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { quoteShell } from "../base/quote.ts";
import { makeSettings } from "../base/script.ts";
import readRanges from "./scripts/read-ranges.sh";

/** A range of a file on a host. */
export interface RangeWish {
  readonly path: string;
  readonly from: number;
  /** At most so many bytes of it. */
  readonly most: number;
  /** Of a file that has more than `behind` bytes past `from`, only the last `keep` are wanted; absent: all, in order. */
  readonly jump?: { readonly behind: number; readonly keep: number };
}

export interface FileRange {
  /** Of the whole file, just before it was read; null: there is none. */
  readonly size: number | null;
  /** Where the bytes begin. */
  readonly from: number;
  readonly bytes: Buffer;
}

/** The same on this machine. */
export function readRangesHere(wishes: readonly RangeWish[]): FileRange[] {
  return wishes.map(readRangeHere);
}

function readRangeHere(wish: RangeWish): FileRange {
  let file: number;
  try {
    file = openSync(wish.path, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
    return { size: null, from: wish.from, bytes: Buffer.alloc(0) };
  }
  try {
    const { size } = fstatSync(file);
    const from = wish.jump && size - wish.from > wish.jump.behind ? size - wish.jump.keep : wish.from;
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(wish.most, size - from)));
    return { size, from, bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)) };
  } finally {
    closeSync(file);
  }
}

const NEVER = Number.MAX_SAFE_INTEGER;

/** One question to a host over the network for ranges of several files; it goes to `sh -s` by stdin. */
export function makeRangesScript(wishes: readonly RangeWish[], token: string): string {
  const calls = wishes.map(({ path, from, most, jump }) =>
    ["read_range", quoteShell(path), from, most, jump?.behind ?? NEVER, jump?.keep ?? 0].join(" "),
  );
  const end = `printf 'end=%s\\n' "$sortie_token"`;
  return [makeSettings({ sortie_token: token }), readRanges, ...calls, end].join("\n");
}

/** null when the answer is not whole. */
export function parseRangesAnswer(
  printed: Buffer,
  wishes: readonly RangeWish[],
  token: string,
): FileRange[] | null {
  const part = `part=${token} `;
  const end = printed.lastIndexOf(`end=${token}`);
  const ranges: FileRange[] = [];
  for (let at = printed.indexOf(part); at !== -1 && at < end; ) {
    const lineEnd = printed.indexOf("\n", at);
    const next = printed.indexOf(`\n${part}`, lineEnd);
    const [size, from] = printed.toString("latin1", at + part.length, lineEnd).split(" ");
    const bytes = printed.subarray(lineEnd + 1, next === -1 ? end - 1 : next);
    ranges.push({ size: size === "-" ? null : Number(size), from: Number(from), bytes });
    at = next === -1 ? -1 : next + 1;
  }
  return end !== -1 && ranges.length === wishes.length ? ranges : null;
}
