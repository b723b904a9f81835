import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findTool } from "./support/shells.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const section = (item: string) =>
  writeFileSync(join(sortie.project(), "AGENTS.md"), `## Local Environment\n- gpu: local\n- ${item}\n`);
const mark = () => join(sortie.temp(), "the project's file was run");

/** A file of the project that leaves a mark when it is run or sourced, and works as `then` says. */
function plant(path: string, then = "") {
  const file = join(sortie.project(), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "$0" >>"${mark().replaceAll(/["$`\\]/g, "\\$&")}"\n${then}\n`);
  chmodSync(file, 0o755);
  return file;
}

const conda = "conda() { [ \"$1 $2\" = 'activate x' ] && MODE=x && export MODE; }";
const hook = `cat <<'END'\n${conda}\nEND`;

describe("a file of the project is not run before a person has said yes", () => {
  it.each<[string, string, string, string]>([
    [
      "tools/bin/conda",
      'Conda: `eval "$(./tools/bin/conda shell.bash hook)" && conda activate x`',
      hook,
      "x",
    ],
    ["t/conda.sh", "Conda: `source ./t/conda.sh && conda activate x`", conda, "x"],
  ])("%s needs trust, also with --yes, and then enters the environment", async (path, item, then, mode) => {
    plant(path, then);
    section(item);
    const command = ["run", "--yes", "--", "sh", "-c", 'echo "$MODE"'];
    expect(await sortie.ask(command)).toMatchObject({ exitCode: 3, trust: { lines: [{ line: 3 }] } });
    expect(existsSync(mark())).toBe(false);
    await sortie.run(["trust"]);
    expect(existsSync(mark())).toBe(false);
    const { run } = await sortie.ask(command);
    expect(run.state).toBe("succeeded");
    expect(readFileSync(run.log, "utf8")).toBe(`${mode}\n`);
    expect(readFileSync(mark(), "utf8").trim().split("\n")).toHaveLength(2); // for the plan, and for the run
  });

  it("the Python of a virtual environment is looked at only", async () => {
    plant(".venv/bin/python");
    writeFileSync(join(sortie.project(), ".venv/pyvenv.cfg"), "home = /usr/bin\nversion = 3.9.7\n");
    section("Venv: .venv");
    const { exitCode, plan } = await sortie.ask(["run", "--", "python", "train.py"]);
    expect(exitCode).toBe(3);
    expect(plan.terms.environment.python).toEqual({
      path: join(sortie.project(), ".venv/bin/python"),
      version: "3.9.7",
    });
    expect(existsSync(mark())).toBe(false);
  });

  it.each([
    ["python", "bin/python", "python"],
    ["a command", "bin/python", "./bin/python"],
  ])("nor the interpreter that %s names", async (what, path, program) => {
    plant(path);
    section(what === "python" ? `python: ${path}` : "note: none");
    const { exitCode, plan } = await sortie.ask(["run", "--", program, "train.py"]);
    expect(exitCode).toBe(3);
    expect(plan.terms.environment.python).toEqual({ path: join(sortie.project(), path), version: null });
    expect(existsSync(mark())).toBe(false);
  });

  it("nor a module of the folder by the Python of the person", async () => {
    const python = `open(${JSON.stringify(mark())}, "w")\n`;
    for (const module of ["platform", "torch", "sys", "site"])
      writeFileSync(join(sortie.project(), `${module}.py`), python);
    const { plan } = await sortie.ask(["run", "--target", "local", "--", "python3", "train.py"]);
    expect(plan.terms.environment.python.version).toMatch(/^3\.\d+\.\d+/);
    expect(existsSync(mark())).toBe(false);
  });
});

it("a plan shows the lines that enter the environment", async () => {
  section("Activate: `export MODE=odd`");
  await sortie.run(["trust"]);
  const { stdout } = await sortie.run(["run", "--", "true"]);
  expect(stdout).toMatch(/^ +enter +export MODE=odd$/m);
});

it("a line of the person's own is run in the run's folder, wherever its plan is confirmed", async () => {
  writeFileSync(join(sortie.project(), "env.sh"), "MODE=odd; export MODE; cd /\n");
  section("Activate: `. ./env.sh`");
  await sortie.run(["trust"]);
  const { plan } = await sortie.ask(["run", "--", "sh", "-c", 'echo "$MODE $PWD"']);
  const { run } = await sortie.ask(["confirm", plan.id], { cwd: sortie.temp() });
  expect(readFileSync(run.log, "utf8")).toBe(`odd ${sortie.project()}\n`);
});

it("a missing bash is said to be missing", async () => {
  section("Activate: `export MODE=odd`");
  await sortie.run(["trust"]);
  const bin = join(sortie.temp(), "bin");
  mkdirSync(bin);
  for (const tool of ["sh", "sed", "head", "git"]) symlinkSync(findTool(tool) as string, join(bin, tool));
  const refused = await sortie.ask(["run", "--", "true"], { env: { PATH: bin } });
  expect(refused).toMatchObject({ exitCode: 5, error: { code: "tool_missing" } });
  expect(refused.error.message).toContain("bash is not installed");
});
