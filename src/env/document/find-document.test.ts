import { describe, expect, it } from "vitest";
import { findBlock, parseLedger } from "../ledger/parse-ledger.ts";
import { findDocument } from "./find-document.ts";

const KEY = { name: "train", hash: "1a2b3c4d" };
const readme = (...lines: string[]) => ({ file: "README.md", text: lines.join("\n") });
const find = (...lines: string[]) => findDocument({ ledger: null, readme: readme(...lines) });
const findBoth = (page: string, ...lines: string[]) => {
  const block = findBlock(parseLedger(page).blocks, KEY);
  if (!block) throw new Error("no block");
  return findDocument({ ledger: { file: "local.md", block }, readme: readme(...lines) });
};

describe("a documented command", () => {
  it("is what its fence holds, with what its comments expect", () => {
    const { commands, warnings } = find(
      "# Train",
      "",
      "```bash sortie-check",
      "python train.py --epochs 1   # quick",
      "# expect exit 3",
      "# expect file out/model.pt",
      "# Expect: line accuracy",
      "  # expect line /acc \\d+/",
      "```",
    );
    expect(warnings).toEqual([]);
    expect(commands).toEqual([
      {
        ...{ file: "README.md", line: 3, shell: "bash" },
        text: "python train.py --epochs 1   # quick\n# expect exit 3\n# expect file out/model.pt\n# Expect: line accuracy\n  # expect line /acc \\d+/\n",
        expectations: [
          { kind: "exit", code: 3, claim: "exit 3" },
          { kind: "file", path: "out/model.pt", claim: "file out/model.pt" },
          { kind: "line", text: "accuracy", pattern: null, claim: "line accuracy" },
          { kind: "line", text: "/acc \\d+/", pattern: "acc \\d+", claim: "line /acc \\d+/" },
        ],
      },
    ]);
  });

  it.each([
    ["```sh sortie-check", "sh"],
    ["``` sortie-check", "sh"],
    ["~~~~ {.bash .Sortie-Check}", "bash"],
    ["1. ```shell title=x sortie-check", "sh"],
  ])("is marked by %j", (opening, shell) => {
    const close = opening.includes("~") ? "~~~~" : "   ```";
    expect(find(opening, "   true", close).commands).toMatchObject([{ shell }]);
  });

  it("stands behind the prompts of a console", () => {
    const { commands } = find(
      "```console sortie-check",
      "$ python train.py \\",
      ">   --epochs 1",
      "accuracy 0.9",
      "$ ls out",
      "# expect line model.pt",
      "```",
    );
    expect(commands[0]?.text).toBe("python train.py \\\n  --epochs 1\nls out\n");
    expect(commands[0]?.expectations).toMatchObject([{ kind: "line", text: "model.pt" }]);
  });

  it("is taken from the ledger's block first, else from the README, each of several", () => {
    const marked = ["```sh sortie-check", "true", "```", "```sh sortie-check", "false", "```"];
    const page = "# L\n\n### env: train@1a2b3c4d\n- how: venv\n\n```sh sortie-check\nmake\n```\n";
    const inLedger = findBoth(page, ...marked);
    expect(inLedger.commands).toMatchObject([{ file: "local.md", line: 6, text: "make\n" }]);
    expect(inLedger.page?.text).toMatch(/^### env:/);
    const inReadme = findBoth(page.replace(" sortie-check", ""), ...marked);
    expect(inReadme.commands.map(({ line, text }) => [line, text])).toEqual([
      [1, "true\n"],
      [4, "false\n"],
    ]);
    expect(findDocument({ ledger: null, readme: null })).toMatchObject({
      commands: [],
      hash: null,
      page: null,
    });
  });
});

describe("what is documented has a hash that changes", () => {
  const page = "### env: train@1a2b3c4d\n- how: venv\n- tier: 1\n";
  const lines = ["words", "```sh sortie-check", "true", "```"];
  const { hash } = findBoth(page, ...lines);

  it("with the command, its shell and how the environment came to be", () => {
    expect(hash).toMatch(/^[0-9a-f]{8}$/);
    expect(findBoth(page, ...lines.with(2, "true --now")).hash).not.toBe(hash);
    expect(findBoth(page, ...lines.with(1, "```bash sortie-check")).hash).not.toBe(hash);
    expect(findBoth(page.replace("venv", "uv"), ...lines).hash).not.toBe(hash);
  });

  it("with nothing else", () => {
    expect(findBoth(page.replace("1\n", "2\n- gotcha: g\n"), "other words", "", ...lines.slice(1)).hash).toBe(
      hash,
    );
  });
});

it.each<[string, string[], RegExp, number]>([
  ["a marker with a typo", ["```sh sortie-chek", "true", "```"], /line 1: "sortie-chek" marks nothing/, 0],
  ["a marker of two words", ["```sh sortie check", "true", "```"], /line 1: "sortie-check" marks nothing/, 0],
  ["a fence that stays open", ["", "```sh sortie-check", "true"], /line 2: .*never closed/, 0],
  [
    "another language",
    ["```python sortie-check", "x", "```"],
    /line 1: a block in "python" cannot be run/,
    0,
  ],
  ["no command", ["```sh sortie-check", "# expect exit 0", "```"], /line 1: .*no command/, 0],
  ["a console without prompts", ["```console sortie-check", "true", "```"], /line 1: .*no command/, 0],
  [
    "an unknown kind",
    ["```sh sortie-check", "true", "# expect fiel x", "```"],
    /line 3: .*did you mean `file`/,
    1,
  ],
  [
    "a code that is none",
    ["```sh sortie-check", "true", "# expect exit zero", "```"],
    /line 3: .*exit CODE/,
    1,
  ],
  ["nothing", ["```sh sortie-check", "true", "# expect", "```"], /line 3: .*not understood/, 1],
  [
    "no regex",
    ["```sh sortie-check", "true", "# expect line /(/", "```"],
    /line 3: .*no regular expression/,
    1,
  ],
  ["behind a command", ["```sh sortie-check", "true # expect exit 1", "```"], /line 2: .*line of its own/, 1],
  [
    "two codes",
    ["```sh sortie-check", "true", "# expect exit 1", "# expect exit 2", "```"],
    /line 1: .*several/,
    1,
  ],
])("%s: warned about, with the line", (_, lines, warning, count) => {
  const { commands, warnings } = find(...lines);
  expect(warnings.join("\n")).toMatch(warning);
  expect(commands).toHaveLength(count);
});

it("a comment on what is expected of it is no expectation", () => {
  expect(find("```sh sortie-check", "true", "# expected runtime: 2 min", "```").warnings).toEqual([]);
});
