import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { parseProject } from "./parse-project.ts";
import { loadTrust, removeTrusted, saveTrust } from "./trust.ts";
import { listUntrusted } from "./untrusted.ts";

const folder = useTempFolder();
const place = { cwd: "/p", home: "/home/me" };
const example = join(import.meta.dirname, "../../fixtures/config/example/AGENTS.md");

test("the user's example needs no trust where its hosts are known", () => {
  const { targets } = parseProject(readFileSync(example, "utf8"), example, "AGENTS.md");
  expect(targets.flatMap((target) => listUntrusted(target, { isHostKnown: true, place }).lines)).toEqual([]);
});

describe("what needs trust", () => {
  test.each([
    ["Conda: source /x/setup.sh && conda activate a", "Conda: source /x/setup.sh && conda activate a"],
    ["conda_hook: `module load conda`  # the hook\n- conda_env: a", "conda_hook: module load conda"],
    ["Activate: . ./env.sh", "Activate: . ./env.sh"],
  ])("%j", (item, text) => {
    expect(list(`## Local Environment\n- ${item}\n`)).toEqual([{ line: 2, text }]);
  });

  test.each([
    ['Conda: `eval "$(./tools/bin/conda shell.bash hook)" && conda activate x`', true],
    ['Conda: `eval "$(tools/conda shell.bash hook)" && conda activate x`', true],
    ['Conda: `eval "$(/p/tools/bin/conda shell.bash hook)" && conda activate x`', true],
    ['Conda: `eval "$(/opt/../p/bin/conda shell.bash hook)" && conda activate x`', true],
    ["Conda: `source ./t/conda.sh && conda activate x`", true],
    ["Activate: `source t/etc/profile.d/conda.sh && conda activate x`", true],
    ["Conda: conda activate ./env", true],
    ["Conda env: /p/env", true],
    ["conda_hook: tools\n- Conda env: x", true],
    ['Conda: `eval "$(/opt/conda/bin/conda shell.bash hook)" && conda activate x`', false],
    ['Conda: `eval "$(~/conda/bin/conda shell.bash hook)" && conda activate x`', false],
    ["Conda: research", false],
    ["venv: .venv", false],
  ])("a program or script of the project's own, and none elsewhere: %j", (item, isAsked) => {
    expect(list(`## Local Environment\n- ${item}\n`)).toHaveLength(isAsked ? 1 : 0);
  });

  test("on another host the project is its code folder", () => {
    const hook = (path: string) => `Conda: \`eval "$(${path} shell.bash hook)" && conda activate x\``;
    const ask = (path: string) => list(`## Remote Server\n- SSH: a\n- Code dir: ~/code\n- ${hook(path)}\n`);
    expect(ask("~/code/bin/conda")).toHaveLength(1);
    expect(ask("bin/conda")).toHaveLength(1);
    expect(ask("~/miniconda3/bin/conda")).toEqual([]);
  });

  test("uncommon options of ssh", () => {
    expect(list("## Remote Server\n- SSH: `ssh -o ProxyCommand=x a`\n")).toEqual([
      { line: 2, text: "SSH: ssh -o ProxyCommand=x a" },
    ]);
    expect(list("## Remote Server\n- host: ssh -A a\n")).toEqual([{ line: 2, text: "host: ssh -A a" }]);
  });

  test("a host that the person does not know", () => {
    const text = "## Remote Server\n- port: 7\n- SSH: a\n";
    expect(list(text)).toEqual([]);
    expect(list(text, false)).toEqual([
      { line: 2, text: "port: 7" },
      { line: 3, text: "SSH: a" },
    ]);
  });
});

describe("trust.json", () => {
  const lines = [{ line: 2, text: "Activate: . ./env.sh" }];

  test("keeps what was trusted, wherever the line moves, in a file of its owner's", () => {
    const path = join(folder(), "home/trust.json");
    expect(removeTrusted(loadTrust(path), { file: "/p/AGENTS.md", lines }).lines).toEqual(lines);
    saveTrust(path, { file: "/p/AGENTS.md", lines });
    saveTrust(path, { file: "/q/AGENTS.md", lines: [{ line: 1, text: "other" }] });
    const trust = loadTrust(path);
    expect(
      removeTrusted(trust, { file: "/p/AGENTS.md", lines: [{ line: 9, text: "Activate: . ./env.sh" }] })
        .lines,
    ).toEqual([]);
    expect(
      removeTrusted(trust, { file: "/p/AGENTS.md", lines: [{ line: 2, text: "Activate: . ./env2.sh" }] })
        .lines,
    ).toHaveLength(1);
    expect(removeTrusted(trust, { file: "/other/AGENTS.md", lines }).lines).toHaveLength(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain("env.sh");
  });

  test.each(["{", "[]", '{"trusted": {"/p": [1]}}', "\u0000"])(
    "damaged (%j) is refused and left as it is",
    (text) => {
      const path = join(folder(), "trust.json");
      writeFileSync(path, text);
      expect(() => saveTrust(path, { file: "/p/AGENTS.md", lines })).toThrow(
        expect.objectContaining({ code: "file_unreadable" }),
      );
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );
});

function list(text: string, isHostKnown = true) {
  const [target] = parseProject(text, "/p/AGENTS.md", "AGENTS.md").targets;
  return target ? listUntrusted(target, { isHostKnown, place }).lines : null;
}
