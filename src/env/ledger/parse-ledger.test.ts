import { expect, it } from "vitest";
import { findBlock, parseLedger } from "./parse-ledger.ts";

const parse = (...lines: string[]) => parseLedger(lines.join("\n"));
const values = (page: ReturnType<typeof parse>) => {
  const [block] = page.blocks;
  if (!block) throw new Error("no block");
  const { text: _, line: __, ...rest } = block;
  return rest;
};
const full = {
  ...{ name: "train", hash: "1a2b3c4d", how: "uv, from env-spec.yaml", tier: "3", weights: "~/w" },
  ...{ validated: "2026-11-30", gotchas: ["no GPU in the login node", "pin numpy"] },
};

it.each([
  ["plain lines", "", "", ":"],
  ["bullets", "- ", "", ":"],
  ["bold in bullets", "* ", "**", ":"],
  ["code in quotes", "> 1. ", "`", " :"],
  ["full-width colons", "  + [x] ", "__", "："],
])("a block is read in %s", (_, lead, mark, colon) => {
  const page = parse(
    "# Environments",
    "",
    "### env: train@1a2b3c4d",
    "",
    ...[
      ["how", "uv, from env-spec.yaml"],
      ["Tier", "3"],
      ["WEIGHTS", "~/w"],
      ["validated", "2026-11-30"],
      ["gotcha", "no GPU in the login node"],
      ["gotcha", "pin numpy"],
    ].map(([key, value]) => `${lead}${mark}${key}${mark}${colon} ${value}`),
  );
  expect(values(page)).toEqual(full);
  expect(page.warnings).toEqual([]);
  expect(page.blocks[0]?.line).toBe(3);
});

it("a key's colon may stand within its marks, and its value on several lines", () => {
  const page = parse(
    "#### ENV： `train`@1A2B3C4D (the one for papers) ##",
    "**how:** uv,",
    "  from env-spec.yaml",
    "- tier: 3",
    "- weights:",
    "    ~/w",
    "- validated: 2026-11-30",
    "- gotcha:",
    "  - no GPU in the login node",
    "  - pin numpy",
    "",
    "Whatever people write: it is theirs. Who: me. Now: later.",
  );
  expect(values(page)).toEqual(full);
  expect(page.warnings).toEqual([]);
});

it("a block ends at the next heading that is no part of it, and keeps its fences and parts", () => {
  const page = parse(
    "## env: a@00000001",
    "how: one",
    "### Part",
    "tier: 2",
    "```sh sortie-check",
    "## env: b@00000002",
    "how: not read",
    "```",
    "<!--",
    "how: not read, too",
    "-->",
    "## env: c@00000003",
    "how: three",
    "Notes",
    "=====",
    "how: nobody's",
  );
  expect(page.blocks.map(({ name, how, tier }) => [name, how, tier])).toEqual([
    ["a", "one", "2"],
    ["c", "three", null],
  ]);
  expect(page.blocks[0]?.text).toContain("## env: b@00000002\nhow: not read\n```\n<!--");
  expect(page.blocks[1]?.text).toBe("## env: c@00000003\nhow: three\n");
});

it("CRLF, a byte order mark and bytes that are no UTF-8 are read", () => {
  const page = parseLedger(
    Buffer.concat([
      Buffer.from("\ufeff### env: a@00000001\r\nhow: one\r\ngotcha: "),
      Buffer.from([0xff, 0x0d, 0x0a]),
    ]),
  );
  expect(page.blocks).toMatchObject([{ how: "one", gotchas: ["\ufffd"] }]);
});

it.each<[string, string[], RegExp]>([
  ["near spellings", ["### env: a@00000001", "validatd: yes"], /line 2: "validatd" is read as `validated`/],
  ["plurals", ["### env: a@00000001", "- gotchas: yes"], /line 2: "gotchas" is read as `gotcha`/],
  ["a heading without a hash", ["### env: train"], /line 1: .*NAME@HASH/],
  ["a hash that is too short", ["", "### env: train@1234567"], /line 2: .*8 digits/],
  [
    "a merge",
    ["### env: a@00000001", "<<<<<<< HEAD", "how: x", "=======", "how: y", ">>>>>>> b"],
    /line 2: a merge/,
  ],
  ["two of a key", ["### env: a@00000001", "how: x", "how: y"], /line 2: `how` of a@00000001 is given again/],
  ["two of a name", ["### env: a@00000001", "### env: a@00000001"], /line 1: a@00000001 has another block/],
  ["an open fence", ["### env: a@00000001", "```sh", "x"], /line 2: the fence/],
])("%s: warned about, with the line", (_, lines, warning) => {
  expect(parse(...lines).warnings.join("\n")).toMatch(warning);
});

it("of two blocks of an environment the last counts; an open fence ends before the next block", () => {
  const { blocks } = parse(
    "### env: a@00000001",
    "```sh",
    "### env: a@00000001",
    "how: second",
    "```sh",
    "how: not read",
    "```",
  );
  expect(blocks).toHaveLength(2);
  expect(findBlock(blocks, { name: "a", hash: "00000001" })?.how).toBe("second");
  expect(findBlock(blocks, { name: "b", hash: "00000001" })).toBeNull();
});

it("both sides of a merge conflict are read", () => {
  const page = parse(
    "### env: a@00000001",
    "<<<<<<< HEAD",
    "gotcha: mine",
    "=======",
    "gotcha: theirs",
    ">>>>>>> b",
  );
  expect(page.blocks).toMatchObject([{ gotchas: ["mine", "theirs"] }]);
});
