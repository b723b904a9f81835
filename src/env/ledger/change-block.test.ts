import { describe, expect, it } from "vitest";
import { chooseTimes } from "../../../test/support/effort.ts";
import { makeRandom } from "../../../test/support/random.ts";
import { type BlockChange, changeBlock } from "./change-block.ts";
import { findBlock, parseLedger } from "./parse-ledger.ts";

const KEY = { name: "train", hash: "1a2b3c4d" };
const change = (page: string, wanted: Omit<BlockChange, "name" | "hash">) =>
  changeBlock(Buffer.from(page), { ...KEY, ...wanted }).toString();

describe("the lines of a block", () => {
  it("are changed in their places, in the style that they have", () => {
    const page = "# L\n\n### env: train@1a2b3c4d\n* **how:** old\n> words\n* **Tier：**1\n\nnotes: mine\n";
    expect(change(page, { how: "new", tier: "2", weights: "~/w" })).toBe(
      "# L\n\n### env: train@1a2b3c4d\n* **how:** new\n> words\n* **Tier：**2\n* **weights**: ~/w\n\nnotes: mine\n",
    );
  });

  it("stay where nothing is new, whatever their spelling", () => {
    const page = "### env: `train`@1A2B3C4D ##\n- validatd:   yes  \n- gotchas:\n  - one\n  - two";
    expect(change(page, { validated: "yes", gotchas: ["two", "one"], how: "" })).toBe(page);
  });

  it("take a value of several lines as a whole, and write one", () => {
    expect(change("### env: train@1a2b3c4d\nhow: a\n  b\n\nc\n", { how: "x\n\ty" })).toBe(
      "### env: train@1a2b3c4d\nhow: x y\n\nc\n",
    );
  });

  it("are added behind the heading, apart from a paragraph there", () => {
    expect(change("### env: train@1a2b3c4d\nWords.\n", { tier: "1" })).toBe(
      "### env: train@1a2b3c4d\n- tier: 1\n\nWords.\n",
    );
  });

  it("keep the gotchas of others, also in a list", () => {
    const page = "### env: train@1a2b3c4d\n- gotcha:\n  - one\n  - two\n\nWords.\n";
    const changed = change(page, { gotchas: ["three", "one"] });
    expect(changed).toBe(page.replace("two\n", "two\n  - gotcha: three\n"));
    expect(parseLedger(changed).blocks[0]?.gotchas).toEqual(["one", "two", "three"]);
  });
});

describe("a block that is missing", () => {
  it.each([
    ["", "### env: train@1a2b3c4d\n- how: x\n"],
    ["# L\n", "# L\n\n### env: train@1a2b3c4d\n- how: x\n"],
    ["# L\r\n\r\n", "# L\r\n\r\n### env: train@1a2b3c4d\r\n- how: x\r\n"],
    ["# L", "# L\n\n### env: train@1a2b3c4d\n- how: x"],
    [
      "### env: train@00000000\n- how: y\n",
      "### env: train@00000000\n- how: y\n\n### env: train@1a2b3c4d\n- how: x\n",
    ],
    ["<!-- never closed\n", "<!-- never closed\n\n### env: train@1a2b3c4d\n- how: x\n"],
    ["```sh never closed\n", "```sh never closed\n\n### env: train@1a2b3c4d\n- how: x\n"],
  ])("%j is followed by it", (page, expected) => {
    const changed = change(page, { how: "x" });
    expect(changed).toBe(expected);
    expect(change(changed, { how: "x" })).toBe(expected);
    expect(findBlock(parseLedger(changed).blocks, KEY)?.how).toBe("x");
  });
});

describe("whatever stands in a ledger", () => {
  const PIECES = [
    ...[
      "how: a",
      "- **tier**: 1",
      "> gotcha: g",
      "* gotchas:",
      "  - one",
      "  more",
      "weigths：w",
      "",
      "words",
    ],
    ...[
      "### env: train@1a2b3c4d",
      "## env: train@1A2B3C4D",
      "### env: other@00000000",
      "# Top",
      "Title",
      "===",
    ],
    ...[
      "```sh sortie-check",
      "```",
      "~~~",
      "<!-- open",
      "-->",
      "env: x@1",
      "\t- validated: v",
      "| a | b |",
      "---",
    ],
    ...["\xff\xfe bytes", "1. [x] how: b", "#### Part", "### env: bad", "\x0bhow: c", "`how`: d"],
  ];
  const WORDS = [
    "plain",
    "# hash",
    "- dash",
    "```",
    "a: b",
    "é ：",
    "x\ny",
    "### env: q@00000000",
    "-->",
    "  ",
  ];

  it("a change is read back, changes nothing the second time, and leaves every byte around the block", () => {
    const random = makeRandom(7);
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
    for (let round = 0; round < chooseTimes(1000, 3000); round += 1) {
      const newline = pick(["\n", "\r\n"]);
      const lines = Array.from({ length: Math.floor(random() * 14) }, () => pick(PIECES));
      const page = Buffer.from(lines.join(newline) + pick(["", newline]), "latin1");
      const wanted = { ...KEY, how: pick(WORDS), tier: pick(["", "3"]), gotchas: [pick(WORDS)] };
      const changed = changeBlock(page, wanted);
      const context = JSON.stringify({ page: page.toString("latin1"), wanted });
      expect(changeBlock(changed, wanted).equals(changed), context).toBe(true);

      const flat = (text: string) => text.replace(/\s+/g, " ").trim().replaceAll("-->", "-- >");
      const [before, after] = [page, changed].map((bytes) => findBlock(parseLedger(bytes).blocks, KEY));
      const expectedHow = flat(wanted.how) || (before?.how ?? null);
      expect(after?.how ?? null, context).toBe(expectedHow);
      const gotchas = [...(before?.gotchas ?? []), flat(wanted.gotchas[0] as string)].filter(
        (one) => one !== "",
      );
      expect(new Set(after?.gotchas ?? []), context).toEqual(new Set(gotchas));

      // Latin1 shows each byte; what surrounds the block is the same on both sides.
      const [old, fresh] = [page, changed].map((bytes) => parseLedger(bytes).blocks) as [Blocks, Blocks];
      const others = (blocks: Blocks) => blocks.filter((block) => block !== findBlock(blocks, KEY));
      expect(
        others(fresh).map(({ text }) => text.trimEnd()),
        context,
      ).toEqual(others(old).map(({ text }) => text.trimEnd()));
      expect(hasInOrder(changed.toString("latin1"), keepOthers(page.toString("latin1"))), context).toBe(true);
    }
  });

  type Blocks = ReturnType<typeof parseLedger>["blocks"];
  /** Lines that no change may touch: those that no key begins, or goes on. */
  const keepOthers = (page: string) =>
    page.split(/\r?\n/).filter((line) => line !== "" && !/how|tier|more|gotcha/.test(line));
  const hasInOrder = (page: string, lines: readonly string[]) => {
    const found = page.split(/\r?\n/);
    let at = 0;
    return lines.every((line) => {
      at = found.indexOf(line, at) + 1;
      return at > 0;
    });
  };
});
