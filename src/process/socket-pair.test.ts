import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeSocketPair } from "./socket-pair.ts";

it("connects two ends, reads where it is told to, and leaves nothing behind", async () => {
  const before = countFolders();
  const place = Buffer.alloc(8);
  let filled = 0;
  const pair = await makeSocketPair({
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

function countFolders(): number {
  return readdirSync(tmpdir()).filter((name) => /^sortie-......$/.test(name)).length;
}
