import { quoteShell } from "../base/quote.ts";
import { makeSettings, readAnswer } from "../base/script.ts";
import hashFiles from "./scripts/hash-files.sh";

/** The SHA-256 of a file in hex, or why there is none. `no_program`: the host has nothing that tells it, or was not to. */
export type HostHash = string | "gone" | "unreadable" | "no_program";

/** A program takes so much for its arguments on every host. */
const BATCH_BYTES = 32 * 1024;

/**
 * Asks a host for the hashes of files; names need not be UTF-8. It goes to `sh -s` by stdin. `onlyLook`: whether they are
 * there is all that is asked, which takes no time.
 */
export function makeHashScript(
  paths: readonly Buffer[],
  token: string,
  { onlyLook = false }: { onlyLook?: boolean } = {},
): Buffer {
  const begin = onlyLook ? "begin\nsortie_program=none" : "begin";
  const calls = makeBatches(paths).map(({ first, names }) => `hash ${first} ${names.join(" ")}`);
  const end = 'echo "end=$sortie_token"\n';
  const text = [makeSettings({ sortie_token: token }), hashFiles, begin, ...calls, end].join("\n");
  return Buffer.from(text, "latin1"); // a byte a character: names stay what they are
}

function makeBatches(paths: readonly Buffer[]): { first: number; names: string[] }[] {
  const batches: { first: number; names: string[] }[] = [];
  let room = 0;
  paths.forEach((path, index) => {
    const name = quoteShell(path.toString("latin1"));
    if (room < name.length) {
      batches.push({ first: index, names: [] });
      room = BATCH_BYTES;
    }
    room -= name.length;
    batches.at(-1)?.names.push(name);
  });
  return batches;
}

/** In the order of the paths; null when the answer is not whole. */
export function parseHashAnswer(stdout: string, count: number, token: string): HostHash[] | null {
  const lines = readAnswer(stdout, token);
  if (lines === null || lines.length !== count) return null;
  const hashes = new Map(lines);
  return Array.from({ length: count }, (_, index) => hashes.get(String(index)) ?? "unreadable");
}
