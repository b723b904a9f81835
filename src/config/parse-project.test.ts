import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseProject } from "./parse-project.ts";

const fixtures = join(import.meta.dirname, "../../fixtures/config");
const example = readFileSync(join(fixtures, "example/AGENTS.md"), "utf8");
const expected = JSON.parse(readFileSync(join(fixtures, "example/expected.json"), "utf8"));

describe("the example of the user's text", () => {
  test("gives exactly the expected targets and defaults", () => {
    expect(readAll(example)).toEqual(expected);
  });

  const respelt: Record<string, (text: string) => string> = {
    "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
    "with lone carriage returns": (text) => text.replaceAll("\n", "\r"),
    "with a byte order mark": (text) => `\uFEFF${text}`,
    "with * bullets": (text) => text.replaceAll(/^- /gm, "* "),
    "with + bullets": (text) => text.replaceAll(/^- /gm, "+ "),
    "with a numbered list": (text) => text.replaceAll(/^- /gm, "1. "),
    "with keys in capitals": (text) => changeKeys(text, (key) => key.toUpperCase()),
    "with keys in small letters": (text) => changeKeys(text, (key) => key.toLowerCase()),
    "with hyphens in keys": (text) => changeKeys(text, (key) => key.replaceAll(/[ _]/g, "-")),
    "with bold keys": (text) => changeKeys(text, (key) => `**${key}**`),
    "with the colon in bold": (text) => text.replaceAll(/^- ([\w ]+): /gm, "- **$1:** "),
    "with code keys": (text) => changeKeys(text, (key) => `\`${key}\``),
    "with full-width colons": (text) => text.replaceAll(/^- ([\w ]+): /gm, "- $1： "),
    "with escaped underscores": (text) => changeKeys(text, (key) => key.replaceAll("_", "\\_")),
    "with deeper headings": (text) => text.replaceAll(/^## /gm, "#### "),
    "with closed headings": (text) => text.replaceAll(/^(## .*)$/gm, "$1 ##"),
    "with a quote, a fence and a comment between": (text) =>
      text.replaceAll(
        "\n\n",
        "\n\n> - SSH: `ssh other`\n\n```\n- SSH: `ssh third`\n```\n\n<!-- - gpu: slurm -->\n\n",
      ),
  };
  for (const [how, change] of Object.entries(respelt)) {
    test(`means the same ${how}`, () => {
      expect(dropLines(readAll(change(example)))).toEqual(dropLines(expected));
    });
  }

  test("means the same with setext headings", () => {
    const text = example.replaceAll(/^## (.*)$/gm, "$1\n---");
    expect(dropLines(readAll(text))).toEqual(dropLines(expected));
  });

  test("means the same in any order of its keys", () => {
    const sections = example.split(/(?=^## )/m).map((section) => {
      const [heading, ...items] = section.trim().split("\n");
      return [heading, ...items.reverse()].join("\n");
    });
    expect(dropLines(readAll(sections.join("\n\n")))).toEqual(dropLines(expected));
  });
});

test("the older text's keys are read, and sections that are no targets are left alone", () => {
  const read = readAll(readFileSync(join(fixtures, "older-text/CLAUDE.md"), "utf8"));
  expect([...read.warnings, ...read.errors]).toEqual([]);
  const [server, vast, modal, ...others] = read.targets;
  expect(others).toEqual([]);
  expect(server).toMatchObject({
    kind: "ssh",
    gpuNote: "4x A100 (80GB each)",
    conda: { env: "research", conda: "/opt/conda/bin/conda" },
    codeDir: "/home/user/experiments/",
  });
  expect(vast?.vast).toEqual({
    instance: null,
    autoDestroy: true,
    maxBudgetUsd: 5,
    image: "pytorch/pytorch:2.4.0-cuda12.4",
  });
  expect(modal?.modal).toEqual({
    app: "app.py",
    function: "train",
    gpu: "A100-80GB",
    timeoutS: 21600,
    volume: "my-results",
    secrets: [],
  });
});

describe("what makes a section a target", () => {
  test.each([
    ["## Lab box\n- SSH: lab", "lab-box", "ssh"],
    ["## Lab box\n- ssh_alias: lab", "lab-box", "ssh"],
    ["## Laptop\n- gpu: local", "laptop", "local"],
    ["## Rented\n- vast_instance: 77", "rented", "vast"],
    ["## Serverless\n- modal_app: a.py", "serverless", "modal"],
    ["## Cluster\n- gpu: slurm\n- SSH: login", "cluster", "slurm"],
    ["## Remote GPU\n- SSH: a", "remote-gpu", "ssh"],
    ["## GPU Server:\n- SSH: a", "gpu-server", "ssh"],
    ["## **Slurm**\n- partition: gpu", "slurm", "slurm"],
    ["## Remote Server\n- SSH: a\n- vast_instance: 5", "remote-server", "vast"],
    ["## Modal\nNothing yet.", "modal", "modal"],
    ["## 实验室\n- SSH： `ssh lab`", "实验室", "ssh"],
    ["## Local\n- SSH: a", "local-2", "ssh"],
    ["## Local Environment (my laptop)\n- Conda: ml", "local-environment-my-laptop", "local"],
    ["## Remote Server — lab\n- Code dir: /a", "remote-server-lab", "ssh"],
    ["## Slurm - the cluster\n- partition: gpu", "slurm-the-cluster", "slurm"],
    ["## Vast.ai: cheap ones\n- disk: 50G", "vast-ai-cheap-ones", "vast"],
  ])("%j", (text, name, kind) => {
    expect(readAll(text).targets.map((target) => [target.name, target.kind])).toEqual([[name, kind]]);
  });

  test.each([
    "## Notes\n- gpu: 4x A100",
    "## Ports\n- host: db\n- port: 5432",
    "- SSH: `ssh a`",
    "## Modal dialogs\n- open: true",
    "## Modal-based forms\n- app: main",
  ])("%j is none, and is not warned of", (text) => {
    expect(readAll(text)).toMatchObject({ targets: [], warnings: [], errors: [] });
  });

  test("equal headings are numbered", () => {
    const text = "## Remote Server\n- SSH: a\n## Remote Server\n- SSH: b\n";
    expect(readAll(text).targets.map((target) => target.name)).toEqual(["remote-server", "remote-server-2"]);
  });

  test("a heading without items takes those of the headings below it", () => {
    const text =
      "## Remote Server\n### Connection\n- SSH: a\n### Python\n- Conda env: ml\n## Other\n- SSH: b\n";
    const { targets } = readAll(text);
    expect(targets.map((target) => target.name)).toEqual(["remote-server", "other"]);
    expect(targets[0]).toMatchObject({ lines: [1, 5], ssh: { destination: "a" }, conda: { env: "ml" } });
  });

  test("a heading over several targets is none itself", () => {
    const { targets } = readAll("## Remote GPU\n### Box A\n- SSH: a\n### Box B\n- SSH: b\n");
    expect(targets.map((target) => target.name)).toEqual(["box-a", "box-b"]);
  });

  test("one that only a code block holds is pointed at", () => {
    const { targets, warnings } = readAll("# P\n\n```markdown\n## Remote Server\n- SSH: a\n```\n");
    expect(targets).toEqual([]);
    expect(warnings).toMatchObject([{ line: 3, message: expect.stringContaining("code block") }]);
  });

  test("a comment that opens in one item and closes in another hides what lies between", () => {
    const { targets } = readAll(
      "## Remote Server\n- SSH: a <!-- before:\n- SSH: b\n-->\n- Code dir: /x <!-- y -->\n",
    );
    expect(targets).toMatchObject([{ ssh: { destination: "a" }, codeDir: "/x", notes: [] }]);
  });
});

describe("keys that hold for the whole file", () => {
  test("belong to their sections where two set them", () => {
    const read = readAll("## Remote Server\n- SSH: a\n- code_sync: git\n## Vast.ai\n- code_sync: rsync\n");
    expect(read.defaults).toEqual({});
    expect(read.targets.map((target) => target.codeSync)).toEqual(["git", "rsync"]);
  });

  test("come from the section Sortie before one target's section", () => {
    const read = readAll(
      "## Sortie\n- code_sync: git\n- grace: 1m\n## Remote Server\n- SSH: a\n- code_sync: rsync\n",
    );
    expect(read.defaults).toEqual({ grace: { value: 60, line: 3 }, code_sync: { value: "git", line: 2 } });
    expect(read.targets[0]?.codeSync).toBe("rsync");
  });
});

function readAll(text: string) {
  const read = parseProject(text, "/p/AGENTS.md", "AGENTS.md");
  const defaults = Object.fromEntries(
    [...read.defaults].map(([key, { value, line }]) => [key, { value, line }]),
  );
  const targets = read.targets.map(({ source: _, ...shown }) => shown);
  return { files: ["AGENTS.md"], targets, defaults, warnings: read.warnings, errors: read.errors };
}

function changeKeys(text: string, change: (key: string) => string): string {
  return text.replaceAll(/^- ([\w ]+):/gm, (_, key: string) => `- ${change(key)}:`);
}

/** Lines move with what a variant adds; notes are compared by their text. */
function dropLines(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (key === "lines" || key === "line" ? undefined : inner)),
  );
}
