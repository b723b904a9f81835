import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { readEnvFile } from "./env-file.ts";

const temp = useTempFolder();
const read = (text: string | Uint8Array) => {
  writeFileSync(join(temp(), "my.env"), text);
  return readEnvFile(join(temp(), "my.env"));
};

describe("a file of --env-file", () => {
  it.each([
    ["a comment that is indented", "  # one\nA=1", { A: "1" }],
    ["a byte order mark", "\ufeffA=1\n", { A: "1" }],
    ["line ends of Windows", "A=1\r\nB='x\r\ny'\r\n", { A: "1", B: "x\ny" }],
    ["`export`", "export A=1\n\texport\tB = two words \n", { A: "1", B: "two words" }],
    [
      "a # inside a value",
      "PASS=abc#def\nURL=#x\nC=1 # one\nD= # none",
      { PASS: "abc#def", URL: "#x", C: "1", D: "" },
    ],
    ["single quotes", "A='x\\n # \"' # is it", { A: 'x\\n # "' }],
    ["double quotes", 'A="esc\\"q"\nB="1\\n2\\\\n\\t"', { A: 'esc"q', B: "1\n2\\n\\t" }],
    ["quotes over several lines", "A=\"1\n# 2\nC=3\"\nB='4\n5'", { A: "1\n# 2\nC=3", B: "4\n5" }],
    ["a value with =", "A=b=c==", { A: "b=c==" }],
    ["the last of two", "A=1\nA=2", { A: "2" }],
    ["nothing", "\n \n", {}],
  ])("takes %s", (_, text, variables) => {
    expect(read(text)).toEqual(variables);
  });

  it.each([
    ["a name alone", "A=1\n\nFOO\n", 3, "no `=`"],
    ["a name that no shell sets", "BAD-KEY=hidden", 1, "of this name"],
    ["no name", "# x\n=hidden", 2, "of this name"],
    ["a quote that is never closed", "A='1\n2'\nB=\"hidden\n\n", 3, "never closed"],
    ["text behind a quote", "A='hid'den", 1, "closing '"],
    ["a NUL byte", "A=hid\0den", 1, "NUL"],
  ])("refuses %s, and names its line", (_, text, line, reason) => {
    expect(() => read(text)).toThrow(`my.env:${line} cannot be read`);
    expect(() => read(text)).toThrow(reason);
    expect(() => read(text)).not.toThrow(/hid/);
  });

  it("refuses what is no text, and what is no file", () => {
    expect(() => read(new Uint8Array([65, 61, 255]))).toThrow("my.env cannot be read");
    mkdirSync(join(temp(), "folder"));
    expect(() => readEnvFile(join(temp(), "folder"))).toThrow("folder cannot be read");
  });

  it("gives every value back that was written into it", () => {
    const name = fc.stringMatching(/^V[A-Z0-9_]{0,8}$/);
    const value = fc.string({ unit: "binary" }).filter((text) => !/[\0\r]/.test(text));
    const lineEnd = fc.constantFrom("\n", "\r\n", "\n  # a 'comment\n");
    const start = fc.constantFrom("", "\ufeff");
    fc.assert(
      fc.property(fc.dictionary(name, value), lineEnd, start, (variables, end, mark) => {
        const lines = Object.entries(variables).map(([key, text]) => `${key}=${quote(text)}${end}`);
        expect(read(mark + lines.join(""))).toEqual({ ...variables });
      }),
      { numRuns: 300 },
    );
  });

  it("either reads a text or says where it is wrong", () => {
    const piece = fc.constantFrom("A", "=", "'", '"', "\\", "#", " ", "\n", "\r\n", "export ", "x-");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          for (const key of Object.keys(read(pieces.join("")))) expect(key).toMatch(/^[A-Za-z_]\w*$/);
        } catch (fault) {
          expect(fault).toMatchObject({
            code: "file_unreadable",
            message: expect.stringMatching(/env:\d+ cannot/),
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});

function quote(text: string): string {
  if (!text.includes("'")) return `'${text}'`;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
