import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { makeNewsStage } from "../support/news-stage.ts";
import { waitFor } from "../support/wait-for.ts";
import { PYTHON_WITH_WANDB, useWandbProject } from "../support/wandb-project.ts";
import { useWandbServer } from "../support/wandb-server.ts";

const project = useWandbProject();
const server = useWandbServer();
const { killWatcher } = makeNewsStage(project.sortie);
const { configure, addScript, run, ask, path, listOffline, readOffline } = project;
const temp = (name: string) => join(project.sortie.temp(), name);
const ON = ["wandb: true", "wandb_project: digits", "wandb_entity: team"];
const KEY = "0123456789abcdef0123456789abcdef01234567";
const COMMAND = ["python", "train.py", "--lr", "0.1", "--name=a", "--api-key", "s3cret"];

/** It has no loop that could be written into, and prints what it learns. */
const SCRIPT = `class Experiment:
    for step in range(3):
        print("step %d loss %.1f" % (step * 10, 3 - step))
print("step 20 eval_acc 0.5")
print("step 20 eval_loss nan")
`;
const ROWS = [
  { step: 0, loss: 3 },
  { step: 10, loss: 2 },
  { step: 20, loss: 1, eval_acc: 0.5, eval_loss: "NaN" },
];
/** The environment of its runs has no wandb. */
const configureWithout = () => {
  const lines = ["gpu: local", "python: /usr/bin/python3", ...ON];
  writeFileSync(path("AGENTS.md"), `## Local Environment\n${lines.map((line) => `- ${line}\n`).join("")}`);
};
const addRefused = () => writeFileSync(path("train.py"), SCRIPT);
const waitUntilForwarded = (id: string) =>
  waitFor(() => !existsSync(join(project.sortie.home(), "forward", `${id}.json`)), { timeoutMs: 30_000 });
/** The only offline run that a run left, as W&B kept it; what it adds itself left out. */
const readOnly = (resultsFolder: string) => {
  const [folder = "", ...more] = listOffline(join(resultsFolder, "wandb"));
  expect(more).toEqual([]);
  const kept = readOffline(folder);
  const rows = kept.history.map((row) => Object.entries(row).filter(([name]) => !name.startsWith("_")));
  return { ...kept, rows: rows.map((row) => Object.fromEntries(row)) };
};

it("sends what a script printed that cannot be changed, once it has ended, with the key of this machine", async () => {
  configure(...ON);
  addRefused();
  const url = await server.start();
  mkdirSync(temp("person"), { recursive: true });
  writeFileSync(temp("person/.netrc"), `machine ${new URL(url).host} login user password ${KEY}\n`);
  const more = { WANDB_BASE_URL: url };
  const { plan } = await run([], COMMAND, more);
  expect(plan.terms.wandb).toMatchObject({
    ...{ way: "forward", change: null, mode: "online", login: "netrc", variables: {}, carried: [] },
    forwarder: join(dirname(PYTHON_WITH_WANDB), "wandb"),
  });
  expect(plan.terms.sideEffects).toContain(
    `forward the numbers of its log to W&B: no file is changed; send them to ${url} once it has ended, for the W&B project team/digits, as ${plan.terms.name}`,
  );
  expect(plan.notes.join("\n")).toMatch(/train\.py is left as it is: there is no training loop/);
  const { run: done } = await ask(["confirm", plan.id], more);
  await waitUntilForwarded(done.id);
  const shown = await ask(["show", done.id]);
  expect(shown).toMatchObject({ wandb: { way: "forward", mode: "online", rows: 3 } });
  expect(shown.wandb.link).toBe(`${url}/team/digits/runs/${done.id}`);
  expect(shown.notes.join()).not.toMatch(/were not/);
  expect(server.calls.map((call) => call.path)).toContain(`/files/team/digits/${done.id}/file_stream`);
  expect(readFileSync(path("train.py"), "utf8")).toBe(SCRIPT);
  expect(readOnly(shown.resultsFolder)).toMatchObject({
    ...{
      id: done.id,
      name: done.name,
      project: "digits",
      exit: 0,
      config: { lr: 0.1, name: "a" },
      rows: ROWS,
    },
  });
  const again = await ask(["wandb", "sync", done.id], more);
  expect(again).toMatchObject({ exit: 0, runs: [{ state: "sent_before" }] });
});

it("holds up nothing while W&B hangs, and forwards no row twice when its watcher is killed", async () => {
  // Its environment has no wandb; the one on PATH hangs while it is told to.
  const bin = temp("bin");
  mkdirSync(bin);
  const python = join(bin, "python");
  writeFileSync(
    python,
    `#!/bin/sh\n[ ! -e ${quoteShell(temp("hang"))} ] || exec sleep 1000\nexec ${quoteShell(PYTHON_WITH_WANDB)} "$@"\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(bin, "wandb"), `#!${python}\n`, { mode: 0o755 });
  writeFileSync(temp("hang"), "");
  const more = { PATH: `${bin}:${process.env["PATH"]}` };
  configureWithout();
  addRefused();
  const first = await run(["--yes"], COMMAND, more);
  expect(first).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  const second = await run(["--yes"], ["true"], more);
  expect(second).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  expect((await ask(["show", first.run.id])).wandb.rows).toBeUndefined();

  await killWatcher();
  rmSync(temp("hang"));
  await killWatcher();
  await waitUntilForwarded(first.run.id);
  const shown = await ask(["show", first.run.id]);
  expect(shown).toMatchObject({ wandb: { mode: "offline", rows: 3 } });
  const { stdout } = await project.sortie.run(["show", "--no-charts", first.run.id]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "results 0 files and W&B's offline run, made of its log, in",
  );
  expect(readOnly(shown.resultsFolder)).toMatchObject({ rows: ROWS });
});

it("leaves a script alone that could be changed, where that is asked for", async () => {
  configure(...ON);
  addScript();
  const { plan } = await run(["--wandb", "forward"]);
  expect(plan.terms.wandb).toMatchObject({ way: "forward", change: null, mode: "offline" });
  expect(plan.terms.sideEffects.join()).not.toMatch(/write/);
  configure(...ON, "wandb_way: forward");
  expect((await run([])).plan.terms.wandb.way).toBe("forward");
  configure();
  expect(await run(["--wandb", "forward"])).toMatchObject({ exit: 2, error: { code: "value_bad" } });
});

it("promises nothing of W&B where no program is here that could forward", async () => {
  configureWithout();
  addRefused();
  const more = { PATH: "/usr/bin:/bin" };
  const { plan } = await run(["--wandb", "forward"], COMMAND, more);
  expect(plan.terms.wandb).toMatchObject({ way: "none", change: null, forwarder: null });
  expect(plan.terms.sideEffects).toContain(
    "forward nothing to W&B: the numbers of its log stay in `sortie show`",
  );
  expect(plan.notes.join("\n")).toMatch(/no program `wandb` is on this machine/);
  expect(JSON.stringify([plan.notes, plan.terms.sideEffects])).not.toMatch(/keep metrics|sends it later/);
  const { run: done } = await ask(["confirm", plan.id], more);
  expect(await ask(["show", done.id])).toMatchObject({ state: "succeeded", wandb: { way: "none" } });
});
