import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseProject } from "./parse-project.ts";

test("x", () => {
  const t = readFileSync("fixtures/config/example/AGENTS.md", "utf8");
  const r = parseProject(t, "/x/AGENTS.md", "AGENTS.md");
  const e = JSON.parse(readFileSync("fixtures/config/example/expected.json", "utf8"));
  expect(
    JSON.stringify(
      r.targets.map(({ source, ...o }) => o),
      null,
      1,
    ),
  ).toEqual(JSON.stringify(e.targets, null, 1));
  expect([...r.warnings, ...r.errors]).toEqual([]);
});
