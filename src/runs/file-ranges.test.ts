import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findShells } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { makeRangesScript, parseRangesAnswer, type RangeWish, readRangesHere } from "./file-ranges.ts";

const temp = useTempFolder();

async function ask(shell: string, wishes: readonly RangeWish[]) {
  const chunks: Buffer[] = [];
  await makeLocalRunner().run([...shell.split(" "), "-s"], {
    ...{ stdin: `echo banner\n${makeRangesScript(wishes, "t0")}\necho bye\n`, timeoutMs: 20_000 },
    onStdout: (chunk) => chunks.push(chunk),
  });
  return parseRangesAnswer(Buffer.concat(chunks), wishes, "t0");
}

it.each(findShells())(
  "L6 reads ranges of several files in one question, byte for byte, by %s",
  async (shell) => {
    const at = (name: string) => join(temp(), name);
    const binary = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));
    writeFileSync(at("binary"), binary);
    writeFileSync(at("empty"), "");
    writeFileSync(at("it's one"), "part=x 1 2\nend=");
    const wishes: RangeWish[] = [
      { path: at("binary"), from: 65_537, most: 100_000 },
      { path: at("gone"), from: 3, most: 10 },
      { path: at("empty"), from: 0, most: 10 },
      { path: at("it's one"), from: 0, most: 1000 },
      { path: at("binary"), from: 250_000, most: 10 },
      { path: at("binary"), from: 0, most: 4, jump: { behind: 199_999, keep: 4 } },
      { path: at("binary"), from: 0, most: 4, jump: { behind: 200_000, keep: 4 } },
    ];
    const ranges = await ask(shell, wishes);
    expect(ranges).toEqual(readRangesHere(wishes));
    expect(ranges?.map(({ size, from, bytes }) => [size, from, bytes.length])).toEqual([
      [200_000, 65_537, 100_000],
      [null, 3, 0],
      [0, 0, 0],
      [15, 0, 15],
      [200_000, 250_000, 0],
      [200_000, 199_996, 4],
      [200_000, 0, 4],
    ]);
  },
);

it.each(findShells())("L39 goes to the end of a log of 3 GB at once, by %s", async (shell) => {
  const path = join(temp(), "log");
  writeFileSync(path, "");
  truncateSync(path, 3e9);
  appendFileSync(path, "the end\n");
  const startMs = performance.now();
  const [range] = (await ask(shell, [{ path, from: 3e9, most: 100 }])) ?? [];
  expect(range?.bytes.toString()).toBe("the end\n");
  expect(performance.now() - startMs).toBeLessThan(2000); // to read it all takes longer
});

it("takes no answer that is cut", () => {
  const wishes = [{ path: "a", from: 0, most: 1 }];
  expect(parseRangesAnswer(Buffer.from("part=t0 1 0\nx"), wishes, "t0")).toBeNull();
  expect(parseRangesAnswer(Buffer.from("end=t0\n"), wishes, "t0")).toBeNull();
});
