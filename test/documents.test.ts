import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { contestTable } from "../src/diagnosis/diagnose-contest.ts";

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

test("the page for contestants has a line for everything that the doctor of a job finds wrong", () => {
  const named = findAll("docs/challenge.md", /`([a-z]+(?:_[a-z]+)+)`/g);
  const codes = contestTable.filter(({ level }) => level !== "ok").map(({ code }) => code);
  expect(codes.filter((code) => !named.includes(code))).toEqual([]);
  const known = contestTable.map(({ code }) => code);
  const isCode = (name: string) => /^(login|job|agents?|endpoint|gateway|state)_/.test(name);
  expect(named.filter((name) => isCode(name) && !known.includes(name))).toEqual([]);
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
