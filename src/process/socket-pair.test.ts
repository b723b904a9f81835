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

it("takes a short path where that of the temporary folder is too long for a socket", async () => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = `/tmp/${"long/".repeat(30)}`;
  try {
    const pair = await makeSocketPair({ buffer: Buffer.alloc(1), callback: () => true });
    pair.theirs.destroy();
    pair.ours.destroy();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

function countFolders(): number {
  return readdirSync(tmpdir()).filter((name) => /^sortie-......$/.test(name)).length;
}
