import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { findTarget } from "./choose-target.ts";
import { findKeyRow, formatKeyTable, keyNames } from "./keys/table.ts";
import { loadConfig } from "./load-config.ts";
import { resolveSetting, settingDefaults } from "./settings.ts";
import { formatVariableTable } from "./variables.ts";

const folder = useTempFolder();

test("a setting comes from the flag, the variable, the section, the file, config.yaml, the default, in this order", async () => {
  const steps = [
    { from: "default", text: "default", value: 30 },
    { from: "home", text: "config.yaml line 1", value: 60 },
    { from: "project", text: "AGENTS.md line 2", value: 120 },
    { from: "section", text: "AGENTS.md line 5", value: 180 },
    { from: "variable", text: "SORTIE_GRACE", value: 240 },
    { from: "flag", text: "--grace", value: 300 },
  ];
  for (const [level, { value, ...source }] of steps.entries()) {
    const lines = [`${level > 1 ? "## Sortie\n- grace: 2m" : "\n"}`, "## Remote Server", "- SSH: a"];
    if (level > 2) lines.push("- grace: 3m");
    const config = await load(
      lines.join("\n"),
      level > 0 ? "grace: 1m" : "",
      level > 3 ? { SORTIE_GRACE: "4m" } : {},
    );
    const flag = level > 4 ? "5m" : undefined;
    const target = findTarget(config, "remote");
    expect(resolveSetting(config, "grace", { target, flag })).toEqual({ value, source });
  }
});

test("a file-wide key of one section holds for the others", async () => {
  const config = await load("## Remote Server\n- SSH: a\n- code_sync: git\n## Vast.ai\n", "code_sync: rsync");
  expect(resolveSetting(config, "code_sync", { target: findTarget(config, "vast") }).value).toBe("git");
  expect(resolveSetting(config, "code_sync", { target: findTarget(config, "local") }).value).toBe("git");
});

test("a section's own keys are not its neighbours'", async () => {
  const config = await load("## Remote Server\n- SSH: a\n- results: out/\n## Vast.ai\n");
  expect(resolveSetting(config, "results", { target: findTarget(config, "remote") }).value).toEqual(["out/"]);
  expect(resolveSetting(config, "results", { target: findTarget(config, "vast") }).value).toEqual([
    "results/",
  ]);
});

test("the folder for results is absolute, relative to where it is written", async () => {
  const config = await load("## Sortie\n- results_to: kept\n");
  expect(resolveSetting(config, "results_to", {}).value).toBe(join(folder(), "kept"));
  expect(resolveSetting(config, "results_to", { flag: "~/r" }).value).toBe(join(folder(), "person/r"));
});

test("quotes round a value make it one entry of a list, in config.yaml too", async () => {
  const quoted = await load("", 'results: "a b/"');
  expect(resolveSetting(quoted, "results", {}).value).toEqual(["a b/"]);
  const plain = await load("", "results: a b/");
  expect(resolveSetting(plain, "results", {}).value).toEqual(["a", "b/"]);
});

test("a flag that was given several times is a list", async () => {
  const config = await load("");
  expect(resolveSetting(config, "results", { flag: ["a b/", "c,d"] }).value).toEqual(["a b/", "c,d"]);
});

test("a flag that cannot be read is refused with what was meant", async () => {
  const config = await load("");
  expect(() => resolveSetting(config, "code_sync", { flag: "gti" })).toThrow(
    expect.objectContaining({
      code: "value_bad",
      hint: "Did you mean git?",
      message: expect.stringContaining("--code-sync"),
    }),
  );
});

test("every setting of the key table has a default, and every default a key", () => {
  const settings = keyNames.filter((name) => findKeyRow(name).setting && !findKeyRow(name).secret);
  expect(Object.keys(settingDefaults).sort()).toEqual(settings.sort());
});

test("every variable of a setting is in the table of variables", () => {
  const table = formatVariableTable();
  expect(table).toContain("| `SORTIE_HOME` |");
  for (const name of Object.keys(settingDefaults))
    expect(table).toContain(`| \`SORTIE_${name.toUpperCase()}\` |`);
});

test("the key table can be shown, and no two keys share a spelling", () => {
  const table = formatKeyTable();
  for (const name of keyNames) expect(table).toContain(`| \`${name}\` |`);
  const spellings = keyNames.flatMap((name) => [name, ...(findKeyRow(name).spellings ?? [])]);
  expect(new Set(spellings).size).toBe(spellings.length);
  for (const spelling of spellings) expect(spelling).toMatch(/^[a-z&]+(_[a-z]+)*$/);
});

function load(project: string, home = "", env: Record<string, string> = {}) {
  mkdirSync(join(folder(), "home"), { recursive: true });
  writeFileSync(join(folder(), "AGENTS.md"), project);
  writeFileSync(join(folder(), "home/config.yaml"), home);
  return loadConfig({
    cwd: folder(),
    env: { SORTIE_HOME: join(folder(), "home"), ...env },
    home: join(folder(), "person"),
  });
}
