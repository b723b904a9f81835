import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

const checkout = join(import.meta.dirname, "..");
const folders = [
  ...["src", "test", "scripts", "bench", "docs", "contributing", "skills", "examples"],
  ...["python", "contestant_sdk"],
];
const skipped = /(^|\/)(results|__pycache__)\//;

const files = folders.filter((folder) => existsSync(join(checkout, folder))).flatMap(listFiles);
const code = files.filter((file) => /\.(ts|mjs|sh|py)$/.test(file));
const product = code.filter((file) => file.startsWith("src/") && !file.endsWith(".test.ts"));
const texts = files.filter((file) => /\.(ts|mjs|sh|py|md|json)$/.test(file));

test("a source file has at most 250 lines, a test at most 400", () => {
  const most = (file: string) => (file.endsWith(".test.ts") ? 400 : 250);
  expect(code.filter((file) => countLines(file) > most(file))).toEqual([]);
});

test("file names are kebab-case and name a subject", () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*((\.soak)?\.test|\.d)?\.(ts|mjs|sh)$/;
  const scripts = code.filter((file) => !file.endsWith(".py"));
  expect(scripts.filter((file) => !kebab.test(basename(file)))).toEqual([]);
  expect(code.filter((file) => /^(utils?|helpers?|common|types|misc)\./.test(basename(file)))).toEqual([]);
});

test("a room has a README of at most 15 lines", () => {
  const rooms = [
    ...new Set(product.filter((file) => dirname(file) !== "src").map((file) => file.split("/")[1])),
  ];
  const readmes = rooms.map((room) => `src/${room}/README.md`);
  expect(readmes.filter((readme) => !files.includes(readme))).toEqual([]);
  expect(readmes.filter((readme) => countLines(readme) > 15)).toEqual([]);
});

test("product code throws errors of the table, keeps no state in modules and does not write to the console", () => {
  const outsideBase = product.filter((file) => !file.startsWith("src/base/"));
  expect(findLines(outsideBase, /\bnew (Type|Range|Syntax|Aggregate)?Error\(/)).toEqual([]);
  expect(findLines(product, /^(export )?(let|var) /)).toEqual([]);
  expect(findLines(product, /\bconsole\.\w+\(/)).toEqual([]);
});

test("no text names a path of one machine or the host of a package registry", () => {
  expect(findLines(texts, /(^|[^\w.$}])\/(work|root)\//)).toEqual([]);
  expect(findLines(texts, /registry\.npmjs|pypi\.org|pythonhosted\.org/)).toEqual([]);
});

function listFiles(folder: string): string[] {
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(checkout.length + 1))
    .filter((file) => !skipped.test(file));
}

function countLines(file: string): number {
  return readLines(file).length;
}

/** `file:line: text` of every line that matches. */
function findLines(among: string[], pattern: RegExp): string[] {
  return among.flatMap((file) =>
    readLines(file).flatMap((line, index) =>
      pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    ),
  );
}

function readLines(file: string): string[] {
  const lines = readFileSync(join(checkout, file), "utf8").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
