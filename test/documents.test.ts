import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const checkout = join(import.meta.dirname, "..");
const folders = [".", "contributing", "docs", "examples", "skills", "src", "bench"];
const pages = folders.flatMap(listPages);

test("every link between the documents leads to a file", () => {
  const broken = pages.flatMap((page) =>
    findAll(page, /\]\(([^)\s#]+)[^)]*\)/g)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(checkout, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("every path that the map names is there", () => {
  const named = findAll("AGENTS.md", /`((?:src|test|scripts|examples|contributing)\/[\w./-]+)`/g);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
});

function listPages(folder: string): string[] {
  const path = join(checkout, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: folder !== ".", encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file));
}

function findAll(page: string, pattern: RegExp): string[] {
  return [...readFileSync(join(checkout, page), "utf8").matchAll(pattern)].map((match) => match[1] as string);
}
