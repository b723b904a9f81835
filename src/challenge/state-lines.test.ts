import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeLocalRunner } from "../process/local-runner.ts";
import { parseStateLines } from "./state-lines.ts";

const runner = makeLocalRunner();

function read(text: string): Record<string, string> {
  return Object.fromEntries(
    parseStateLines(text).flatMap(({ name, value }) => (name === undefined ? [] : [[name, value ?? ""]])),
  );
}

/** What a shell makes of the text, variable `V`; the end is marked so that no newline is lost. */
async function readByShell(shell: string, text: string): Promise<string> {
  const outcome = await runner.run([shell, "-s"], {
    stdin: `${text}\nprintf '%s.' "$V"\n`,
    env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" },
    timeoutMs: 10_000,
  });
  return outcome.stdout.slice(0, -1);
}

describe("values", () => {
  it.each([
    ["V=plain", "plain"],
    ["V='single $x `y` \"z\" \\n'", 'single $x `y` "z" \\n'],
    ['V="double \\"quoted\\" \\$5 \\\\ \\n"', 'double "quoted" $5 \\ \\n'],
    ["V='it'\\''s'", "it's"],
    ["V=a\\ b\\$c", "a b$c"],
    ["V='two\nlines'", "two\nlines"],
    ['V="joined\\\n up"', "joined up"],
    ["V=$'a\\tb\\'c\\n\\303\\251\\xe2\\x82\\xac\\u00e9'", "a\tb'c\né€é"],
    ["V=", ""],
    ["V=''", ""],
    ["export V=a # a comment", "a"],
    ["V=a;", "a"],
    ["V=a#b", "a#b"],
    ["  V=cost$", "cost$"],
  ])("%j is what bash reads", async (text, value) => {
    expect(read(text)).toEqual({ V: value });
    expect(await readByShell("bash", text)).toBe(value);
  });

  it("of `printf %q` come back byte for byte", async () => {
    const word = fc.string({ unit: "binary", maxLength: 20 }).filter((text) => !text.includes("\0"));
    const words = fc.sample(word, 300);
    for (const LC_ALL of ["C", "C.UTF-8"]) {
      const outcome = await runner.run(["bash", "-c", `printf 'V=%q\\n' "$@"`, "bash", ...words], {
        env: { PATH: process.env["PATH"], LC_ALL },
        timeoutMs: 10_000,
      });
      expect(parseStateLines(outcome.stdout).map(({ value }) => value)).toEqual(words);
    }
  });

  it("are not guessed where only a shell could tell", () => {
    for (const value of [
      "$HOME/x",
      '"$X"',
      `$\{X}`,
      "`date`",
      '"$(date)"',
      "'open",
      '"open',
      "a b",
      "a | b",
      "$'a\\0b'",
    ])
      expect(parseStateLines(`V=${value}\nW=1\n`)).toMatchObject([
        { unread: "V" },
        { name: "W", value: "1" },
      ]);
  });

  it.each([
    ["export V=1 W='two 2'", "1", "two 2"],
    ['declare -x V="1"; declare -x W=2', "1", "2"],
    ["V=1; W=2 # a comment", "1", "2"],
    ["V=1 W=2", "1", "2"],
    ["export X V=1 Y; typeset W=$'2' ;", "1", "2"],
  ])("of %j are those of bash", async (text, v, w) => {
    expect(read(text)).toEqual({ V: v, W: w });
    expect(await readByShell("bash", `${text}\nV="$V/$W"`)).toBe(`${v}/${w}`);
  });

  it("of a line with a command in it are all unread", () => {
    const unread = (text: string) => parseStateLines(text).flatMap((line) => line.unread ?? []);
    expect(unread("V=1 W=$(x)")).toEqual(["V", "W"]);
    expect(unread("V=1 W=2 make # X=3")).toEqual(["V", "W"]);
    expect(unread("if a; then V=1; fi")).toEqual(["V"]);
    expect(unread("(V=1)")).toEqual(["V"]);
    expect(unread("V = 1")).toEqual(["V"]);
    expect(unread("# V=1\n")).toEqual([]);
  });

  it("end before a carriage return", () => {
    expect(read("A=1\r\nB='2'\r\n")).toEqual({ A: "1", B: "2" });
  });
});

describe("lines", () => {
  it("are numbered, and joined are the text again, whatever it is", () => {
    const piece = fc.constantFrom(
      "A=1",
      "B='x",
      "y'",
      "\n",
      '"',
      "#",
      " ",
      "export ",
      "$",
      "\\",
      "=",
      ";",
      "echo hi",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const lines = parseStateLines(text);
        expect(lines.map((line) => line.text).join("")).toBe(text);
        expect(lines.filter((line) => line.text === "")).toEqual([]);
      }),
    );
    expect(parseStateLines("# c\nA='1\n2'\nB=3").map(({ line, name }) => [line, name])).toEqual([
      [1, undefined],
      [2, "A"],
      [4, "B"],
    ]);
  });
});
