import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { formatIssue } from "./issue.ts";
import { formatKeyTable } from "./keys/table.ts";
import { loadConfig } from "./load-config.ts";
import { loadPersonalSettings } from "./load-personal.ts";

const temp = useTempFolder();
const load = (text: string, env: Record<string, string> = {}) => {
  const file = join(temp(), "config.yaml");
  writeFileSync(file, text);
  return loadPersonalSettings({ file, env });
};

test("a person's own settings come from a variable, else config.yaml, else the default", async () => {
  const none = await load("");
  expect([none.resolve("notify_webhook"), none.resolve("notify_desktop")]).toEqual([null, false]);
  const text = "notify_webhook: https://a.example/x\nNotify desktop: yes\ngrace: soon\n";
  const file = await load(text);
  expect([file.resolve("notify_webhook"), file.resolve("notify_desktop")]).toEqual([
    "https://a.example/x",
    true,
  ]);
  expect(file.warnings).toEqual([]);
  const variable = await load(text, { SORTIE_NOTIFY_WEBHOOK: "https://b.example/y" });
  expect(variable.resolve("notify_webhook")).toBe("https://b.example/y");
});

test("what of them cannot be read is a warning and stops no launch", async () => {
  const env = { SORTIE_NOTIFY_DESKTOP: "maybe" };
  const { warnings } = await load("notify_desktop: perhaps\n", env);
  expect(warnings.map(formatIssue)).toEqual([
    expect.stringMatching(/config\.yaml line 1: notify_desktop must be/),
    expect.stringMatching(/^SORTIE_NOTIFY_DESKTOP must be/),
  ]);
  const config = await loadConfig({
    ...{ cwd: temp(), home: join(temp(), "person") },
    env: { SORTIE_HOME: temp(), ...env },
  });
  expect(config.errors).toEqual([]);
  expect((await load(": [")).warnings).toHaveLength(1);
});

test("a project cannot send a person's notices anywhere", async () => {
  const line = "- notify_webhook: https://evil.example/x";
  writeFileSync(
    join(temp(), "AGENTS.md"),
    `## Sortie\n${line}\n\n## Remote Server\n- SSH: \`ssh a\`\n${line}\n`,
  );
  const config = await loadConfig({
    cwd: temp(),
    env: { SORTIE_HOME: temp() },
    home: join(temp(), "person"),
  });
  expect(config.defaults.size).toBe(0);
  expect(config.targets[0]?.source.values.has("notify_webhook")).toBe(false);
  expect(config.warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^notify_webhook is your own affair/),
    expect.stringMatching(/^notify_webhook is your own affair/),
  ]);
  expect(formatKeyTable()).toContain("| `notify_webhook` |  | `config.yaml` |");
});
