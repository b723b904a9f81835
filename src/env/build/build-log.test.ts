import { expect, it } from "vitest";
import { BuildLog } from "./build-log.ts";

it("makes whole lines of pieces that end anywhere", () => {
  const text =
    "sortie: step 1/2: python\nCollecting é\r\n 10%\r 99%\rdone\nsortie: step 2/2: pip 1\nhalf a line";
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const log = new BuildLog();
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      lines.push(...log.add(bytes.subarray(at, at + size), false));
    expect(lines.at(-1)).toBe("sortie: step 2/2: pip 1");
    expect(log.step).toEqual({ number: 2, total: 2, name: "pip 1" });
    lines.push(...log.add(Buffer.alloc(0), true));
    expect(lines).toEqual([
      ...["sortie: step 1/2: python", "Collecting é", "done", "sortie: step 2/2: pip 1", "half a line"],
    ]);
    expect(log.tail).toEqual(lines);
    expect(log.bytes).toBe(bytes.length);
  }
});

it("keeps up with a line that does not end, and has of it what stands there at last", () => {
  const pieces = [Buffer.from(`${" 50 %|#####     |".repeat(16_000)}\r`), Buffer.from("z".repeat(250_000))];
  const log = new BuildLog();
  const started = performance.now();
  for (let at = 0; at < 400; at += 1) expect(log.add(pieces[at % 2] as Buffer, false)).toEqual([]);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(log.add(Buffer.from("\rdone\r"), false)).toEqual([]);
  expect(log.add(Buffer.from("\nnext\n"), true)).toEqual(["done", "next"]);
});

it("keeps the end of a long log, and the beginning of a long line", () => {
  const log = new BuildLog();
  log.add(Buffer.from("x\n".repeat(500)), false);
  const [line] = log.add(Buffer.from(`${"y".repeat(10_000)}\n`), true);
  expect(line).toHaveLength(4000);
  expect(log.tail).toHaveLength(60);
});
