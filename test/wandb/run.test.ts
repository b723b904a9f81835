import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { useWandbProject } from "../support/wandb-project.ts";

const project = useWandbProject();
const { configure, addScript, readScript, path, run, ask, listOffline, readOffline } = project;
const ON = ["wandb: true", "wandb_project: digits", "wandb_entity: team"];
const PROMISED = ["train/loss", "train/lr", "eval/loss", "eval/accuracy", "gpu/memory_used"];

describe("a run of a plain script", () => {
  it("is planned with the change as a diff, and confirming makes it, once, and logs by the real W&B", async () => {
    configure(...ON);
    const before = addScript();
    chmodSync(path("train.py"), 0o750);
    const { exit, plan } = await run([]);
    expect(exit).toBe(3);
    expect(readScript()).toBe(before);
    const { wandb } = plan.terms;
    expect(wandb).toMatchObject({
      ...{ project: "digits", entity: "team", mode: "offline", login: null, carried: [] },
      change: { name: "train.py", removed: 0, missing: ["eval/ppl"] },
    });
    expect(wandb.change.metrics).toEqual(expect.arrayContaining(PROMISED));
    expect(plan.terms.sideEffects[0]).toMatch(
      /^write W&B logging into train\.py \(\+\d+ lines: train\/loss, /,
    );
    expect(plan.notes.join()).toMatch(/kept offline, as nobody is logged in to 127\.0\.0\.1:9 there/);

    const confirmed = await ask(["confirm", plan.id]);
    expect(confirmed).toMatchObject({ exit: 0, run: { state: "succeeded" } });
    expect(statSync(path("train.py")).mode & 0o777).toBe(0o750);
    expect(readScript().split("\n").length - before.split("\n").length).toBe(wandb.change.added);

    const shown = await ask(["show", confirmed.run.id]);
    const { id, name } = confirmed.run;
    expect(shown.wandb).toEqual({
      ...{ project: "digits", entity: "team", id, mode: "offline", url: "http://127.0.0.1:9" },
      link: `http://127.0.0.1:9/team/digits/runs/${id}`,
    });
    const [folder = ""] = listOffline(join(shown.resultsFolder, "wandb"));
    const kept = readOffline(folder);
    expect(kept).toMatchObject({ id, name, project: "digits", exit: 0, config: { lr: 1 } });
    const logged = new Set(kept.history.flatMap((row) => Object.keys(row)));
    expect([...logged]).toEqual(expect.arrayContaining(PROMISED));

    // By hand it is the same run of W&B's, and so is every attempt.
    const again = { ...process.env, ...project.env, WANDB_API_KEY: "" };
    execFileSync("sh", [join(shown.jobFolder, "job.sh")], { env: again, stdio: "ignore" });
    expect(listOffline().map((one) => readOffline(one).id)).toEqual([id, id]);

    const rerun = await ask(["rerun", id]);
    expect(rerun.plan.terms.wandb.change).toBeNull();
    expect(rerun.plan.notes.join()).toMatch(/train\.py logs to it already \(by lines that Sortie wrote\)/);
  });

  it("shows the diff to a person, and takes no line of it for its own code", async () => {
    configure(...ON);
    addScript();
    execFileSync("git", ["init", "--quiet"], { cwd: path() });
    const shown = await project.sortie.run(["run", "--gpus", "none", "--", "python", "train.py"], {
      env: project.env,
    });
    expect(shown.stdout).toMatch(/\n {2}--- a\/train\.py\n {2}\+\+\+ b\/train\.py\n/);
    expect(shown.stdout).toMatch(/\n {2}\+.*_sortie_step\(\{ {2}# sortie-wandb\n/);
    const done = await run(["--yes"]);
    const tree = execFileSync("git", ["hash-object", "train.py"], { cwd: path(), encoding: "utf8" }).trim();
    const { git } = await ask(["show", done.run.id]);
    const objects = join(project.sortie.home(), "plans", done.plan.id, "objects");
    const listed = execFileSync("git", ["ls-tree", git.tree], {
      ...{ cwd: path(), encoding: "utf8", env: { ...process.env, GIT_OBJECT_DIRECTORY: objects } },
    });
    expect(listed).toContain(`${tree}\ttrain.py`);
  });

  it.each([
    ["the script", "train.py", /train\.py, which it was to write to, is not what was shown/],
    ["another file", "other.py", /changed/],
  ])("is stale where %s changed meanwhile, and nothing is written", async (_, file, words) => {
    configure(...ON);
    const before = addScript();
    writeFileSync(path("other.py"), "1\n");
    const { plan } = await run([]);
    const changed = `${readFileSync(path(file), "utf8")}# mine\n`;
    writeFileSync(path(file), changed);
    const refused = await ask(["confirm", plan.id]);
    expect(refused).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(refused.error.message).toMatch(words);
    expect(readScript()).toBe(file === "train.py" ? changed : before);
  });

  it.each([
    ["python2.py", /line \d+/],
    ["sklearn_fit.py", /left as it is/],
    ["with_wandb.py", /logs to it already/],
  ])("is left as it is where that cannot be done: %s", async (fixture, words) => {
    configure(...ON);
    addScript(fixture);
    const { plan } = await run([]);
    expect(plan.terms.wandb.change).toBeNull();
    expect(plan.notes.join("\n")).toMatch(words);
    expect(plan.terms.sideEffects.join()).not.toMatch(/write/);
  });

  it("is left as it is where it is no one file", async () => {
    configure(...ON);
    mkdirSync(path("pkg"));
    writeFileSync(path("pkg", "__main__.py"), "print('done')\n");
    const { exit, plan } = await run([], ["python", "pkg"]);
    expect(exit).toBe(3);
    expect(plan.terms.wandb.change).toBeNull();
    expect(plan.notes.join("\n")).toMatch(/pkg is left as it is: it is no file/);
  });

  it("is left as it is where its environment has no wandb", async () => {
    const python = join(project.sortie.temp(), "python");
    writeFileSync(python, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    writeFileSync(
      path("AGENTS.md"),
      `## Local Environment\n- gpu: local\n- python: \`${python}\`\n${ON.map((line) => `- ${line}\n`).join("")}`,
    );
    addScript();
    const { plan } = await run([]);
    expect(plan.terms.wandb).toMatchObject({ change: null, version: null });
    expect(plan.notes.join()).toMatch(/the package wandb is not in the run's environment/);
  });
});

it("needs a project, and says where it is missing", async () => {
  configure("wandb: true");
  addScript();
  expect(await run([])).toMatchObject({
    ...{ exit: 2, error: { code: "wandb_project_missing" } },
  });
  const { error } = await run([]);
  expect(error.message).toMatch(/AGENTS\.md line 4/);
});

it("leaves variables that a person gives as they are", async () => {
  configure(...ON);
  addScript();
  const given = { WANDB_PROJECT: "mine", WANDB_MODE: "disabled", WANDB_NAME: "called so" };
  const { plan } = await run([], ["python", "train.py"], given);
  const { variables, project: named, mode, name } = plan.terms.wandb;
  expect({ named, mode, name }).toEqual({ named: "mine", mode: "disabled", name: "called so" });
  expect(Object.keys(variables).sort()).toEqual(["WANDB_ENTITY", "WANDB_RESUME"]);
});

it.each(["wandb: false", "results: out/"])("does nothing of all this with %s", async (line) => {
  configure(line, "wandb_project: digits");
  const before = addScript();
  // Whoever loads the parser ends here.
  const trap = join(project.sortie.temp(), "trap.cjs");
  writeFileSync(
    trap,
    `const { Module } = require("node:module"); const load = Module._load;
Module._load = (name, ...rest) => { if (name === "web-tree-sitter") process.exit(99); return load(name, ...rest); };\n`,
  );
  const trapped = { NODE_OPTIONS: `--require ${JSON.stringify(trap)}` };
  const { exit, plan } = await run([], ["python", "train.py"], trapped);
  expect(exit).toBe(3);
  expect(plan.terms).not.toHaveProperty("wandb");
  expect(JSON.stringify(plan.terms.sideEffects)).not.toMatch(/W&B/);
  const done = await run(["--yes"], ["sh", "-c", "env | grep -c ^WANDB_RUN_ID= || true"], trapped);
  expect(readScript()).toBe(before);
  expect((await ask(["show", done.run.id])).wandb).toBeNull();
  expect(basename(done.run.log)).toBe("log");
});
