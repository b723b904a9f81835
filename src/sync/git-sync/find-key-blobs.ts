import type { Git } from "../git-tool.ts";
import { makeKeyFinder } from "../send/wandb-key.ts";
import { loadBlobSizes } from "./staged-files.ts";

/** So much is read at once; a longer blob is data, and is not searched. */
const GROUP_BYTES = 16_000_000;
/** The smallest are searched first: people write a key into a file that they read. */
const MOST_BYTES = 250_000_000;

/** Which of these blobs hold a W&B API key; those that are missing here hold none. @throws git_failed */
export async function findKeyBlobs(git: Git, root: string, blobs: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const group of makeGroups(await loadBlobSizes(git, blobs, { cwd: root }))) {
    const parts: Buffer[] = [];
    const onStdout = (part: Buffer) => parts.push(part);
    await git.read(["cat-file", "--batch"], { cwd: root, stdin: `${group.join("\n")}\n`, onStdout });
    for (const { blob, content } of parseBlobs(Buffer.concat(parts))) {
      if (makeKeyFinder()(content)) found.add(blob);
    }
  }
  return found;
}

function makeGroups(sizes: ReadonlyMap<string, number>): string[][] {
  const searched = [...sizes].filter(([, bytes]) => bytes <= GROUP_BYTES).sort(([, a], [, b]) => a - b);
  const groups: string[][] = [];
  let [inGroup, inAll] = [GROUP_BYTES, 0];
  for (const [blob, bytes] of searched) {
    inGroup += bytes;
    inAll += bytes;
    if (inAll > MOST_BYTES) break;
    if (groups.length === 0 || inGroup > GROUP_BYTES) {
      groups.push([]);
      inGroup = bytes;
    }
    groups.at(-1)?.push(blob);
  }
  return groups;
}

/** Reads `ID blob BYTES`, a line end, the content and a line end, for each. */
function* parseBlobs(printed: Buffer): Generator<{ blob: string; content: Buffer }> {
  let at = 0;
  while (at < printed.length) {
    const start = printed.indexOf("\n", at) + 1;
    const [blob = "", , bytes] = printed.toString("latin1", at, start).trimEnd().split(" ");
    const end = start + Number(bytes);
    yield { blob, content: printed.subarray(start, end) };
    at = end + 1;
  }
}
