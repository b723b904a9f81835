import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { chooseTimes } from "../../test/support/effort.ts";
import { parseChunks } from "./markdown-chunks.ts";
import { parseOutline } from "./outline.ts";

const LINES = [
  "# one",
  "## two",
  "#no",
  " # three",
  "text",
  "- item",
  "  - inner",
  "    ```",
  "  ```",
  "```",
  "````",
  "~~~ js",
  "> quote",
  "> ```",
  "<!-- open",
  "close -->",
  "<div>",
  "</div>",
  "<script>",
  "</script>",
  "<?php",
  "?>",
  "<!DOCTYPE",
  ">",
  "",
  "   ",
  "---",
  "\tindented",
  "    code",
];

test("a text parsed heading by heading has the blocks of the text parsed whole", () => {
  const text = fc
    .array(fc.constantFrom(...LINES), { maxLength: 25 })
    .chain((lines) => fc.constantFrom("\n", "\r\n", "\r").map((end) => lines.join(end)));
  fc.assert(
    fc.property(text, (source) => {
      const chunks = parseChunks(source).flatMap(({ root, line }) =>
        root.children.map((node) => [node.type, line - 1 + (node.position?.start.line ?? 0)]),
      );
      const whole = fromMarkdown(source).children.map((node) => [node.type, node.position?.start.line]);
      expect(chunks).toEqual(whole.filter(([type]) => type !== "definition"));
    }),
    { numRuns: chooseTimes(500, 2000) },
  );
});

// Each of these takes the bare parser minutes; here a second or two.
const HOSTILE: Record<string, string> = {
  "a million quotes in one line": `## Modal\n${">".repeat(1_000_000)}`,
  "lists in lists": "+ + + + a\n".repeat(19_000),
  "lists ever deeper": Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(2 * depth)}- a: b`).join(
    "\n",
  ),
  "comments that never close": `## Modal\n- ${"<!--".repeat(250_000)}`,
  "backticks that never close": `## Modal\n- ${Array.from({ length: 1400 }, (_, count) => "`".repeat(count)).join(" ")}`,
  brackets: `## Modal\n${"[".repeat(1_000_000)}`,
};

for (const [name, text] of Object.entries(HOSTILE)) {
  test(`hostile text ends: ${name}`, () => {
    expect(parseOutline(text).sections.length).toBeLessThanOrEqual(1);
  });
}
