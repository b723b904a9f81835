import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, LogFolder } from "./fold-log.ts";

const fold = (text: string) => foldText(Buffer.from(text));

describe("folding", () => {
  it.each([
    ["one\ntwo\n", ["one", "two"]],
    ["no newline at the end", ["no newline at the end"]],
    ["10%\r50%\r100%\ndone\n", ["100%", "done"]],
    ["10%\r50%\r", ["50%"]],
    ["10%\r\n", ["10%"]],
    ["windows\r\nlines\r\n", ["windows", "lines"]],
    ["100%\r      \r\nnext\n", ["100%", "next"]],
    ["\n\n", ["", ""]],
    ["", []],
  ])("%j", (text, lines) => {
    expect(fold(text)).toEqual(lines);
  });

  it("gives the same lines however the bytes are cut", () => {
    const piece = fc.constantFrom("a", "bc", "ü", "🚀", "\r", "\n", "  ", "\r\n");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.array(fc.nat(80), { maxLength: 8 }),
        (pieces, cuts) => {
          const bytes = Buffer.from(pieces.join(""));
          const folder = new LogFolder();
          const lines: string[] = [];
          let from = 0;
          for (const to of [
            ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b),
            bytes.length,
          ]) {
            lines.push(...folder.push(bytes.subarray(from, to)));
            from = to;
          }
          if (folder.rest !== "") lines.push(folder.rest);
          expect(lines).toEqual(foldText(bytes));
        },
      ),
    );
  });

  it("keeps the two ends of a line that is too long, and little memory", () => {
    const folder = new LogFolder();
    for (let block = 0; block < 50; block += 1)
      expect(folder.push(Buffer.alloc(1024 * 1024, "x"))).toEqual([]);
    const [line] = folder.push(Buffer.from("the end\n"));
    expect(line?.length).toBeLessThan(50_000);
    expect(line).toMatch(/^x+ \[… 524\d+ characters left out …\] x+the end$/);
  });
});
