import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { linkTools } from "./support/shells.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const complete = async (...words: string[]) =>
  (await sortie.run(["complete", "--", ...words])).stdout.trim().split("\n");

it("completes commands, options, targets and runs", async () => {
  expect(await complete("st")).toEqual(["stop"]);
  expect(await complete("run", "--ti")).toEqual(["--timeout"]);
  writeFileSync(join(sortie.project(), "AGENTS.md"), "## My GPU Server\n- gpu: remote\n- SSH: `box`\n");
  expect(await complete("run", "--target", "")).toEqual(["my-gpu-server", "box", "local"]);
  await sortie.launch(["true"], ["--name", "first-run"]);
  expect(await complete("show", "fi")).toEqual(["first-run"]);
  expect(await complete("run", "--")).toContain("--timeout");
  expect(await complete("run", "--", "python", "--ti")).toEqual([""]);
});

it("is what bash shows, by its own completion", async () => {
  const tools = linkTools(join(sortie.temp(), "tools"), ["bash", "node", "env"]);
  const script = `
    sortie() { node '${SORTIE}' "$@"; }
    eval "$(sortie completion bash)"
    COMP_WORDS=(sortie sh) COMP_CWORD=1
    _sortie
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...sortie.makeEnv(), PATH: `${tools}:/usr/bin:/bin` };
  const outcome = await sortie.runner.run(["bash", "--norc", "-c", script], { env, timeoutMs: 20_000 });
  expect(outcome.stdout).toBe("show\n");
});
