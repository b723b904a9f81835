import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findOwnProcesses } from "../support/own-processes.ts";
import { useWandbProject } from "../support/wandb-project.ts";
import { useWandbServer } from "../support/wandb-server.ts";

const project = useWandbProject();
const server = useWandbServer();
const { configure, addScript, run, ask, path } = project;
const SENTINEL = "5e47111e15e47111e15e47111e15e47111e15e47";
const ON = ["wandb: true", "wandb_project: digits"];

const hasKey = (text: string | Buffer) => text.includes(SENTINEL);

/** Files below the home folder that hold the key, in plain bytes. */
const listHolders = () =>
  readdirSync(project.sortie.home(), { recursive: true, encoding: "utf8" })
    .map((name) => join(project.sortie.home(), name))
    .filter((file) => statSync(file).isFile() && hasKey(readFileSync(file)))
    .map((file) => ({
      path: file.slice(project.sortie.home().length + 1),
      mode: statSync(file).mode & 0o777,
    }));

/** What anybody on the machine sees of our processes while something is done. */
async function watchProcesses<Result>(work: () => Promise<Result>) {
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const { command } of findOwnProcesses()) seen.add(command);
  }, 5);
  const result = await work().finally(() => clearInterval(timer));
  expect(seen.size).toBeGreaterThan(3);
  expect([...seen].filter(hasKey)).toEqual([]);
  return result;
}

it("L38 a key of the project's file goes by a private file, is warned of, and is in nothing else", async () => {
  configure(...ON, `wandb_api_key: ${SENTINEL}`);
  addScript();
  execFileSync("git", ["init", "--quiet"], { cwd: path() });
  const url = await server.start();
  const more = { WANDB_BASE_URL: url };
  const { plan, ...rest } = await run([], ["python", "train.py"], more);
  expect(rest.exit).toBe(3);
  expect(plan.terms.wandb).toMatchObject({ mode: "online", login: "file", carried: ["WANDB_API_KEY"] });
  expect(plan.notes.join("\n")).toMatch(
    /the wandb_api_key of AGENTS\.md line 6 goes with the run in a private file/,
  );
  expect(plan.terms.code.leftOut).toMatchObject([{ path: "AGENTS.md", reason: "secret" }]);
  expect(hasKey(JSON.stringify(plan))).toBe(false);
  expect(listHolders()).toEqual([{ path: `plans/${plan.id}/variables.json`, mode: 0o600 }]);

  const done = await watchProcesses(() => ask(["confirm", plan.id], more));
  expect(done).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  // The program had it: W&B's server was told.
  const bearer = Buffer.from(`api:${SENTINEL}`).toString("base64");
  expect(
    server.calls.filter(({ authorization }) => authorization === `Basic ${bearer}`).length,
  ).toBeGreaterThan(0);
  const shown = await ask(["show", done.run.id]);
  expect(hasKey(JSON.stringify([done, shown]))).toBe(false);
  expect(listHolders()).toEqual([]);

  const again = await ask(["rerun", done.run.id], more);
  expect(again.plan.terms.wandb.login).toBe("file");
  const pulled = await ask(["wandb", "pull", done.run.id], more);
  expect(hasKey(JSON.stringify(pulled))).toBe(false);
});

it("L38 a login of the host's own is used before the file's, which then stays where it is", async () => {
  configure(...ON, `wandb_api_key: ${SENTINEL}`);
  addScript();
  const { plan } = await run([], ["python", "train.py"], { WANDB_API_KEY: "f".repeat(40) });
  expect(plan.terms.wandb).toMatchObject({ login: "environment", carried: [], mode: "offline" });
  expect(listHolders()).toEqual([]);
});
