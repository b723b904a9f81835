import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeConda } from "./support/fake-conda.ts";
import { makeFakeGpus } from "./support/fake-gpus.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const inProject = (...parts: string[]) => join(sortie.project(), ...parts);
const section = (...items: string[]) =>
  writeFileSync(
    inProject("AGENTS.md"),
    ["## Local Environment", ...["gpu: local", ...items].map((item) => `- ${item}`), ""].join("\n"),
  );
const plan = (...command: string[]) => sortie.ask(["run", "--", ...command]);

describe("a key of a local section does what it says, or that is said", () => {
  it("data must be there, at the plan and when it is confirmed", async () => {
    section("data: `sets/one`, `~/sets/*.csv`, `s3://bucket/x`");
    mkdirSync(inProject("sets/one"), { recursive: true });
    const refused = await plan("true");
    expect(refused).toMatchObject({ exitCode: 2, error: { code: "input_missing" } });
    expect(refused.error.message).toMatch(/: ~\/sets\/\*\.csv\.$/);
    mkdirSync(join(sortie.temp(), "person", "sets"));
    const { plan: made } = await plan("true");
    rmSync(inProject("sets/one"), { recursive: true });
    const stale = await sortie.ask(["confirm", made.id]);
    expect(stale).toMatchObject({ exitCode: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain(`data is gone: ${inProject("sets/one")}`);
  });

  it("Code dir is where the run starts, but for --cwd, also when it is confirmed or run again", async () => {
    section("Code dir: code");
    expect(await plan("true")).toMatchObject({ exitCode: 2, error: { code: "folder_missing" } });
    mkdirSync(inProject("code"));
    const { plan: made } = await plan("pwd");
    const first = await sortie.ask(["confirm", made.id]);
    expect(readFileSync(first.run.log, "utf8")).toBe(`${inProject("code")}\n`);
    const again = await sortie.ask(["rerun", first.run.id, "--yes"]);
    expect(readFileSync(again.run.log, "utf8")).toBe(`${inProject("code")}\n`);
    const here = await sortie.ask(["run", "--yes", "--cwd", ".", "--", "pwd"]);
    expect(readFileSync(here.run.log, "utf8")).toBe(`${sortie.project()}\n`);
    const hereAgain = await sortie.ask(["rerun", here.run.id, "--yes"]);
    expect(readFileSync(hereAgain.run.log, "utf8")).toBe(`${sortie.project()}\n`);
  });

  it("python is found, recorded, and what the command gets", async () => {
    section("python: python2.99");
    const refused = await plan("python", "-V");
    expect(refused).toMatchObject({ exitCode: 2, error: { code: "environment_missing" } });
    mkdirSync(join(sortie.temp(), "bin"));
    const python = join(sortie.temp(), "bin", "python2.99");
    const real = ["python3", "-c", "import sys; print(sys.executable)"];
    symlinkSync((await sortie.runner.run(real, { timeoutMs: 10_000 })).stdout.trim(), python);
    const command = ["python", "-c", "import sys; print(sys.executable)"];
    for (const [written, path] of [
      ["python2.99", `${join(sortie.temp(), "bin")}:${process.env["PATH"]}`],
      [`\`${python}\``, process.env["PATH"]],
    ]) {
      section(`python: ${written}`);
      const { run } = await sortie.ask(["run", "--yes", "--", ...command], { env: { PATH: path } });
      expect(readFileSync(run.log, "utf8")).toBe(`${python}\n`);
      expect((await sortie.show(run.id)).environment.python.path).toBe(python);
    }
  });

  it("freeze is refused on this machine", async () => {
    section("freeze: true");
    const refused = await plan("true");
    expect(refused).toMatchObject({ exitCode: 2, error: { code: "freeze_local" } });
    expect(refused.error.message).toContain("AGENTS.md line 3");
  });

  it("all others are in the plan's notes", async () => {
    makeFakeConda(join(sortie.temp(), "person", "miniconda3"), ["ml"]);
    section(
      "Conda: ml",
      "venv: .venv",
      "checkpoints: saved",
      "sync_exclude: data",
      "wandb: true",
      "wandb_project: x",
    );
    const { plan: made } = await plan("true");
    expect(made.notes.join("\n")).toMatch(
      /venv .* is not used.*\n.*sync_exclude .* no effect.*\n.*checkpoints .* saved\n.*W&B: .* kept offline/,
    );
  });
});

describe("a plan", () => {
  it("names every process that it starts", async () => {
    const { plan: made } = await sortie.ask(["run", "--target", "local", "--name", "mine", "--", "true"]);
    const effects = made.terms.sideEffects.join("\n");
    expect(effects).toMatch(/screen session called mine/);
    expect(effects).toMatch(/process that watches runs/);
  });

  it("that cannot be made leaves nothing, neither code nor values", async () => {
    await sortie.runner.run(["git", "init", "--quiet", sortie.project()], { timeoutMs: 20_000 });
    writeFileSync(inProject("train.py"), "print(1)\n");
    const { env } = makeFakeGpus(sortie.temp(), { gpus: [{}] });
    const options = { env: { ...env, GIT_CEILING_DIRECTORIES: sortie.temp() } };
    const flags = ["run", "--target", "local", "--env", "API_KEY=secret"];
    const refused = await sortie.ask([...flags, "--gpus", "3", "--", "true"], options);
    expect(refused).toMatchObject({ exitCode: 2, error: { code: "gpus_too_few" } });
    const plans = join(sortie.home(), "plans");
    expect(existsSync(plans) ? readdirSync(plans) : []).toEqual([]);
    const { plan: made } = await sortie.ask([...flags, "--", "true"], options);
    expect(readdirSync(plans)).toEqual([made.id]);
  });
});
