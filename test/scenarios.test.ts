import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import scenarios from "./scenarios.json" with { type: "json" };

/** Marks such as `L17` at the start of the title of a test or of its group. */
function findMarks(): Set<string> {
  const files = ["src", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  const titles = files.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(
      /\b(?:describe|it|test)(?:\.\w+)*\(?(?:[^"'`]*?)\(\s*["'`](L\d+)\b/g,
    ),
  ]);
  return new Set(titles.map((match) => match[1] as string));
}

it("every scenario of the list is the title of a test, and no other is", () => {
  const wanted = Object.values(scenarios).flatMap((group) =>
    typeof group === "string" ? [] : Object.keys(group),
  );
  expect([...findMarks()].sort()).toEqual(wanted.sort());
});
