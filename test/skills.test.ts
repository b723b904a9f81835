import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-table.ts";
import { findCommand } from "../src/cli/find-command.ts";
import { parseCall } from "../src/cli/parse-call.ts";
import { splitShellWords } from "../src/config/shell-words.ts";

/** Every command of Sortie that a page shows, in a fence or between backticks. */
function findCommands(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const fenced = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].flatMap((match) =>
    (match[1] as string).split("\n"),
  );
  const spans = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`(sortie [^`]+)`/g)].map(
    (match) => match[1] as string,
  );
  return [...fenced, ...spans]
    .map((line) =>
      line
        .trim()
        .replace(/^\$ /, "")
        .replace(/\s+#.*$/, ""),
    )
    .filter((line) => line.startsWith("sortie "));
}

const pages = [
  "README.md",
  "docs/challenge.md",
  "docs/environments.md",
  "docs/metrics.md",
  "docs/modal.md",
  "docs/notifications.md",
  "docs/ssh.md",
  "docs/vast.md",
  "docs/wandb.md",
  ...readdirSync("skills").map((name) => join("skills", name, "SKILL.md")),
];

it.each(readdirSync("skills"))("skills/%s begins with its name and what it is for, a line each", (name) => {
  const text = readFileSync(join("skills", name, "SKILL.md"), "utf8");
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  expect(head.split("\n")).toEqual([`name: ${name}`, expect.stringMatching(/^description: \S/)]);
});

describe.each(pages)("%s", (page) => {
  const commands = findCommands(page);

  it("shows commands", () => {
    expect(commands.length).toBeGreaterThan(0);
  });

  it.each(commands)("`%s` is one that the command line takes", async (line) => {
    const [, ...words] = splitShellWords(line.replace(/…|\bRUN\b/g, "some-run")) ?? [];
    if (words[0]?.startsWith("-")) return expect(["--help", "--version"]).toContain(words[0]);
    const { name, summary, command, argv } = await findCommand(COMMANDS, words);
    expect(parseCall(name, summary, command, argv).kind).toBe("call");
  });
});
