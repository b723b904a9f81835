import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeLocalRunner } from "../src/process/local-runner.ts";
import { useTempFolder } from "./support/temp-folder.ts";

interface ArrowTable {
  rooms: { room: string; level: number; holds: string; mayImport: string[] }[];
  doors: { door: string; mayImport: string[] }[];
}

interface Cruise {
  modules: { source: string }[];
  summary: { violations: { from: string; rule: { name: string } }[] };
}

const checkout = join(import.meta.dirname, "..");
const table: ArrowTable = JSON.parse(readFileSync(join(checkout, "contributing", "arrows.json"), "utf8"));
const folder = useTempFolder();

/** A file that must not be, by its path in src/; what it imports; and the rule that must catch it. */
const planted = [
  ["base/planted.ts", "../disk/planted-leaf.ts", "arrows-of-base"],
  ["base/planted-pure.ts", "node:fs", "pure-rooms"],
  ["diagnosis/planted.ts", "node:fs", "pure-rooms"],
  ["config/planted.ts", "../runs/planted-leaf.ts", "arrows-of-config"],
  ["gpus/planted.ts", "node:child_process", "processes-in-one-room"],
  ["supervise/planted.ts", "child_process", "processes-in-one-room"],
  ["targets/planted.ts", "../store/planted-leaf.ts", "arrows-of-targets"],
  ["targets/slurm/planted.ts", "../local/planted-leaf.ts", "folders-apart-in-targets"],
  ["cli/planted.ts", "../runs/planted-leaf.ts", "arrows-of-cli"],
  ["mcp/planted.ts", "../cli/planted-leaf.ts", "arrows-of-mcp"],
  ["agent.ts", "./process/planted-leaf.ts", "arrows-of-door-agent"],
  ["shared/planted.ts", "../base/planted-leaf.ts", "room-not-in-table"],
  ["process/planted.ts", "esbuild", "nothing-missing"],
] as const;

test("every room keeps to its row, and every source file was read", async () => {
  const cruise = await cruiseSources(checkout);
  expect(cruise.summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`)).toEqual([]);

  const read = new Set(cruise.modules.map(({ source }) => source));
  expect(listSources(checkout).filter((file) => !read.has(file))).toEqual([]);
});

test("each kind of forbidden import is caught in a copy where it is planted", async () => {
  for (const name of ["src", "contributing", ".dependency-cruiser.cjs", "package.json", "tsconfig.json"]) {
    cpSync(join(checkout, name), join(folder(), name), { recursive: true });
  }
  symlinkSync(join(checkout, "node_modules"), join(folder(), "node_modules"));
  for (const [file, imported] of planted) {
    plant(file, `import "${imported}";\n`);
    if (imported.endsWith("planted-leaf.ts")) plant(join(dirname(file), imported), "export {};\n");
  }
  plant("base/planted-orphan.ts", "export {};\n");
  plant("sync/planted-one.ts", 'import "./planted-other.ts";\n');
  plant("sync/planted-other.ts", 'import type {} from "./planted-one.ts";\n');

  const { violations } = (await cruiseSources(folder())).summary;
  const caught = violations.map(({ from, rule }) => `${from}: ${rule.name}`);
  for (const [file, , rule] of planted) expect(caught).toContain(`src/${file}: ${rule}`);
  expect(caught).toContain("src/base/planted-orphan.ts: no-orphans");
  expect(caught).toContainEqual(expect.stringMatching(/planted-(one|other)\.ts: no-cycles$/));
});

test("every row names rooms of rows above it alone, and every folder of src has a row", () => {
  const names = table.rooms.map(({ room }) => room);
  for (const [row, { mayImport }] of table.rooms.entries())
    expect(names.slice(0, row)).toEqual(expect.arrayContaining(mayImport));
  for (const { mayImport } of table.doors) expect(names).toEqual(expect.arrayContaining(mayImport));
  const levels = table.rooms.map(({ level }) => level);
  expect(levels).toEqual([...levels].sort());
  const folders = readdirSync(join(checkout, "src"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(folders.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
});

test("AGENTS.md shows the table", () => {
  const agents = readFileSync(join(checkout, "AGENTS.md"), "utf8");
  const rows = table.rooms.map(({ level, room, holds, mayImport }, row) => {
    const names = row > 1 && mayImport.length === row ? "every room above" : mayImport.join(", ");
    return `| ${level} | \`${room}\` | ${holds} | ${row === 0 ? "-" : names} |\n`;
  });
  for (const row of rows) expect(agents).toContain(row);
});

async function cruiseSources(root: string): Promise<Cruise> {
  const cruiser = join(checkout, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const argv = [process.execPath, cruiser, "src", "--config", ".dependency-cruiser.cjs", "-T", "json"];
  const outcome = await makeLocalRunner().run(argv, { cwd: root, timeoutMs: 50_000 });
  expect(outcome.stderr).toBe("");
  return JSON.parse(outcome.stdout);
}

function listSources(root: string): string[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join("src", file));
}

function plant(file: string, text: string) {
  const path = join(folder(), "src", file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
