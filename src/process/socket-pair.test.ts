import { readdirSync } from "node:fs";
import type { OnReadOpts } from "node:net";
import { tmpdir } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeSocketPair, type SocketPair } from "./socket-pair.ts";

const makePair = async (onread: OnReadOpts) => (await makeSocketPair(onread)) as SocketPair;

afterEach(() => {
  vi.unstubAllEnvs();
});

it("connects two ends, reads where it is told to, and leaves nothing behind", async () => {
  const before = countFolders();
  const place = Buffer.alloc(8);
  let filled = 0;
  const pair = await makePair({
    buffer: () => place.subarray(filled),
    callback(bytes) {
      filled += bytes;
      return true;
    },
  });
  pair.theirs.end("abcd");
  await waitFor(() => filled === 4);
  expect(place.toString("latin1")).toBe("abcd\0\0\0\0");
  await waitFor(() => pair.ours.destroyed);
  expect(countFolders()).toBe(before);
});

it("takes a short path where that of the temporary folder is too long for a socket", async () => {
  vi.stubEnv("TMPDIR", `/tmp/${"long/".repeat(30)}`);
  const pair = await makePair({ buffer: Buffer.alloc(1), callback: () => true });
  pair.theirs.destroy();
  pair.ours.destroy();
});

it("takes another folder where TMPDIR is not there", async () => {
  vi.stubEnv("TMPDIR", "/no/such/folder");
  const pair = await makePair({ buffer: Buffer.alloc(1), callback: () => true });
  pair.theirs.destroy();
  pair.ours.destroy();
});

function countFolders(): number {
  return readdirSync(tmpdir()).filter((name) => /^sortie-......$/.test(name)).length;
}
