import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { command } from "../../src/cli/commands/agent.ts";
import { parseCall } from "../../src/cli/parse-call.ts";
import { splitShellWords } from "../../src/config/shell-words.ts";
import { useContestant } from "../support/contestant.ts";

const contestant = useContestant();
const pages = ["skills/challenge-run-agent/SKILL.md", "contestant_sdk/python/README.md"];

it.each(pages)("the shell text of %s is shell text", async (page) => {
  const blocks = [...readFileSync(page, "utf8").matchAll(/```sh\n([\s\S]*?)```/g)].map(
    (match) => match[1] as string,
  );
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    const script = contestant.writeScript("block", block);
    expect(await contestant.run(["bash", "-n", script])).toEqual({ exitCode: 0, signal: null, output: "" });
  }
});

it.each(pages)("the Python command of %s is one that the agent takes", async (page) => {
  const text = readFileSync(page, "utf8")
    .replaceAll("\\\n", " ")
    .replaceAll(/"\$(\w+)"/g, "$1");
  const calls = [...text.matchAll(/simubotix_agent\.py (--job[^`\n]+|[^`\n]*--access[^`\n]+)/g)].map(
    (match) => match[1] as string,
  );
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) {
    const parsed = parseCall("agent", "", command, splitShellWords(call) ?? []);
    expect(parsed).toMatchObject({
      kind: "call",
      args: [],
      options: { handler: expect.stringContaining(":handle") },
    });
  }
});
