import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import scenarios from "./scenarios.json" with { type: "json" };

/** Where tests of each group's marks may stand: those of the tunnel count only where both ends and a network are real. */
const folders: Readonly<Record<string, readonly string[]>> = { L: ["src", "test"], T: ["test"] };

/** Marks such as `L17` at the start of the title of a test or of its group. */
function findMarks(letter: string): string[] {
  const files = (folders[letter] ?? []).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  const title = new RegExp(
    `\\b(?:describe|it|test)(?:\\.\\w+)*\\(?(?:[^"'\`]*?)\\(\\s*["'\`](${letter}\\d+)\\b`,
    "g",
  );
  const titles = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(title)]);
  return [...new Set(titles.map((match) => match[1] as string))].sort();
}

it.each([
  ["launching", "L", scenarios.launching],
  ["tunnel", "T", scenarios.tunnel],
])("every scenario of the list '%s' is the title of a test, and no other is", (_, letter, wanted) => {
  expect(findMarks(letter)).toEqual(Object.keys(wanted).sort());
});
