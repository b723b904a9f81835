import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { listChangedFiles } from "./footprint.ts";
import { loadConfig } from "./load-config.ts";
import { makeTargetsDocument } from "./targets-document.ts";

const fixtures = join(import.meta.dirname, "../../fixtures/config");
const folder = useTempFolder();
const server = (alias: string) => `## Remote Server\n- SSH: ${alias}\n`;

test("the example's folder gives exactly the expected document", async () => {
  const config = await load({ cwd: join(fixtures, "example") });
  const { schema, ...document } = makeTargetsDocument(config);
  expect(schema).toBe(1);
  const expected = readFileSync(join(fixtures, "example/expected.json"), "utf8");
  expect(JSON.stringify(document, null, 1)).toBe(JSON.stringify(JSON.parse(expected), null, 1));
});

describe("which file counts", () => {
  test("the nearest upward that has a target, AGENTS.md before CLAUDE.md", async () => {
    write("AGENTS.md", server("top"));
    write("a/AGENTS.md", "# No targets here\n- SSH keys are in the vault\n");
    write("a/CLAUDE.md", server("claude"));
    write("a/b/CLAUDE.md", server("near"));
    write("a/b/AGENTS.md", server("nearest"));
    expect(await findServer("a/b/c")).toEqual(["../AGENTS.md", "nearest"]);
    expect(await findServer("a")).toEqual(["CLAUDE.md", "claude"]);
    expect(await findServer("other")).toEqual(["../AGENTS.md", "top"]);
  });

  test("one that only points elsewhere is followed", async () => {
    write("CLAUDE.md", "<!-- see there -->\n@docs/one.md\n@docs/two.md\n");
    write("docs/one.md", "# Nothing\n");
    write("docs/two.md", server("followed"));
    expect(await findServer(".")).toEqual(["docs/two.md", "followed"]);
  });

  test("a circle is refused, and one that points nowhere is told", async () => {
    write("AGENTS.md", "@CLAUDE.md\n");
    write("CLAUDE.md", "@AGENTS.md\n@missing.md\n");
    const config = await load({ cwd: folder() });
    expect(config.targets).toEqual([]);
    expect(config.errors[0]?.message).toContain("AGENTS.md → CLAUDE.md → AGENTS.md");
    expect(config.warnings[0]?.message).toContain("missing.md");
  });

  test("one that holds settings alone is used where there is no target", async () => {
    write("AGENTS.md", "## Sortie\n- target: local\n");
    const config = await load({ cwd: join(folder(), ".") });
    expect(config.targets).toEqual([]);
    expect(config.defaults.get("target")?.value).toBe("local");
  });

  test("none is no error", async () => {
    const config = await load({ cwd: folder() });
    expect(config).toMatchObject({ files: [], targets: [], warnings: [], errors: [], unreadable: null });
  });
});

describe("a file that cannot be read stops the search", () => {
  const unreadable: Record<string, [make: (path: string) => void, reason: string]> = {
    "links in a circle": [(path) => symlinkSync(path, path), "circle"],
    "not UTF-8": [(path) => writeFileSync(path, Buffer.from([0x23, 0xff, 0xfe, 0x0a])), "not UTF-8"],
    "UTF-16": [(path) => writeFileSync(path, Buffer.from(server("a"), "utf16le")), "not UTF-8"],
    "larger than 1 MiB": [(path) => writeFileSync(path, "a".repeat(1024 * 1024 + 1)), "larger than 1 MiB"],
    "too many lines": [(path) => writeFileSync(path, "\n".repeat(20_001)), "lines"],
  };
  for (const [name, [make, reason]] of Object.entries(unreadable)) {
    test(name, async () => {
      write("AGENTS.md", server("further up"));
      mkdirSync(join(folder(), "p"));
      make(join(folder(), "p/AGENTS.md"));
      const config = await load({ cwd: join(folder(), "p") });
      expect(config.targets).toEqual([]);
      expect(config.unreadable?.reason).toContain(reason);
      expect(config.errors).toMatchObject([
        { file: "AGENTS.md", message: expect.stringContaining("cannot be read") },
      ]);
    });
  }
});

describe("what only has the name is passed over with a warning", () => {
  const odd: Record<string, (path: string) => void> = {
    "a folder": (path) => mkdirSync(path),
    "a device without end": (path) => symlinkSync("/dev/zero", path),
    "a pipe": (path) => execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]),
  };
  for (const [name, make] of Object.entries(odd)) {
    test(name, async () => {
      make(join(folder(), "AGENTS.md"));
      write("CLAUDE.md", server("used"));
      const config = await load({ cwd: folder() });
      expect(config.targets[0]?.ssh?.destination).toBe("used");
      expect(config.warnings).toMatchObject([
        { file: "AGENTS.md", message: expect.stringContaining("regular file") },
      ]);
    });
  }
});

describe("config.yaml", () => {
  test("sets settings, in any spelling", async () => {
    write(
      "home/config.yaml",
      "free-memory-mib: 700\nresults: [a/, 'b c/']\nGrace: 1m\nwandb: yes\ncode_dir: /x\n",
    );
    const config = await load({ cwd: folder() });
    expect(Object.fromEntries([...config.settings.home].map(([key, { value }]) => [key, value]))).toEqual({
      free_memory_mib: 700,
      results: ["a/", "b c/"],
      grace: 60,
      wandb: true,
    });
    expect(config.warnings).toMatchObject([
      { line: 5, key: "code_dir", message: expect.stringContaining("target") },
    ]);
  });

  test.each([
    ["grce: 5", "warnings", { line: 1, key: "grce", nearest: "grace" }],
    ["\ngrace: soon", "errors", { line: 2, key: "grace" }],
    ["grace: {a: 1}", "errors", { line: 1, message: expect.stringContaining("one value or a list") }],
    ["- a", "errors", { message: expect.stringContaining("key: value") }],
    ["a: [", "errors", { message: expect.stringContaining("not YAML") }],
    ["\u00ff: 1", "warnings", { message: expect.stringContaining("not a setting") }],
  ] as const)("%j is told with its line", async (text, list, issue) => {
    write("home/config.yaml", text);
    const config = await load({ cwd: folder() });
    expect(config[list]).toMatchObject([issue]);
    expect(config[list][0]?.file).toBe(join(folder(), "home/config.yaml"));
  });

  test("unreadable is an error", async () => {
    mkdirSync(join(folder(), "home/config.yaml"), { recursive: true });
    const config = await load({ cwd: folder() });
    expect(config.errors).toMatchObject([{ message: expect.stringContaining("not a regular file") }]);
  });
});

describe("variables", () => {
  test("set settings; a misspelt one is named, a stranger is not", async () => {
    const env = { SORTIE_GRACE: "2m", SORTIE_TARGT: "local", SORTIE_MY_OWN_THING: "1", SORTIE_RUN_ID: "r1" };
    const config = await load({ cwd: folder(), env });
    expect(config.settings.variables).toEqual(new Map([["grace", 120]]));
    expect(config.warnings).toMatchObject([{ key: "SORTIE_TARGT", nearest: "SORTIE_TARGET", file: null }]);
  });

  test("a wrong value is an error", async () => {
    const config = await load({ cwd: folder(), env: { SORTIE_GRACE: "soon" } });
    expect(config.errors).toMatchObject([{ key: "SORTIE_GRACE", file: null, target: null }]);
  });
});

test("a footprint tells which files have changed, those that were not there included", async () => {
  write("p/AGENTS.md", server("a"));
  const { footprint } = await load({ cwd: join(folder(), "p/q") });
  expect(listChangedFiles(footprint)).toEqual([]);
  write("p/q/CLAUDE.md", "new");
  write("p/AGENTS.md", server("b"));
  expect(listChangedFiles(footprint)).toEqual([
    join(folder(), "p/q/CLAUDE.md"),
    join(folder(), "p/AGENTS.md"),
  ]);
});

function load({ cwd, env = {} }: { cwd: string; env?: Record<string, string> }) {
  return loadConfig({
    cwd,
    env: { SORTIE_HOME: join(folder(), "home"), ...env },
    home: join(folder(), "person"),
  });
}

async function findServer(cwd: string) {
  const config = await load({ cwd: join(folder(), cwd) });
  return [...makeTargetsDocument(config).files, config.targets[0]?.ssh?.destination];
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder(), name)), { recursive: true });
  writeFileSync(join(folder(), name), text);
}
