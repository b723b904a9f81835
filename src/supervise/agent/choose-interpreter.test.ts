import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeConda } from "../../../test/support/fake-conda.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { SortieError } from "../../base/error.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { chooseInterpreter } from "./choose-interpreter.ts";

const folder = useTempFolder();
type Env = Record<string, string | undefined>;

/** A program that stands for a Python: it is only looked at. */
function makeProgram(...parts: string[]): string {
  const path = join(folder(), ...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\necho "Python 3.11.0"\n');
  chmodSync(path, 0o755);
  return path;
}

function writeSection(text: string): void {
  mkdirSync(join(folder(), "project"), { recursive: true });
  writeFileSync(join(folder(), "project", "AGENTS.md"), `## Local Environment\n\n${text}\n`);
}

async function choose(named: string | undefined, more: Env = {}) {
  mkdirSync(join(folder(), "project"), { recursive: true });
  const env: Env = { PATH: process.env["PATH"], HOME: join(folder(), "home"), ...more };
  return chooseInterpreter(named, { env, cwd: join(folder(), "project"), runner: makeLocalRunner() });
}

async function findFault(named: string | undefined, more: Env = {}): Promise<string> {
  const fault = await choose(named, more).catch((error: unknown) => error);
  return fault instanceof SortieError ? fault.code : JSON.stringify(fault);
}

describe("the interpreter", () => {
  it("is the one that is named, by path or by name", async () => {
    const program = makeProgram("project", "own", "python");
    const more = { VIRTUAL_ENV: "/elsewhere", PATH: dirname(makeProgram("bin", "python3.99")) };
    expect(await choose("own/python", more)).toMatchObject({ program, said: "--python" });
    expect(await choose("python3.99", more)).toMatchObject({ program: join(folder(), "bin", "python3.99") });
    for (const named of ["no/python", "python4", ""])
      expect(await findFault(named, more)).toBe("interpreter_missing");
  });

  it("is that of the environment which is entered", async () => {
    const venv = makeProgram("venv", "bin", "python");
    const conda = makeProgram("conda", "bin", "python");
    const more = { CONDA_PREFIX: join(folder(), "conda") };
    writeSection("- conda_env: other");
    expect(await choose(undefined, { ...more, VIRTUAL_ENV: join(folder(), "venv") })).toMatchObject({
      program: venv,
      said: "of $VIRTUAL_ENV",
    });
    expect(await choose(undefined, more)).toMatchObject({ program: conda, said: "of $CONDA_PREFIX" });
    expect(await findFault(undefined, { VIRTUAL_ENV: join(folder(), "gone") })).toBe("interpreter_missing");
  });

  it("is that of the venv which the local section names", async () => {
    const python = makeProgram("project", ".venv", "bin", "python");
    writeFileSync(python, '#!/bin/sh\nexec python3 "$@"\n');
    writeSection("- venv: .venv");
    const { program, said, env } = await choose(undefined);
    expect(program).toBe(python);
    expect(said).toMatch(/of venv .*\.venv, as .*AGENTS\.md says/);
    expect(env["VIRTUAL_ENV"]).toBe(join(folder(), "project", ".venv"));
  });

  it("is that of the conda environment which the local section names, with its variables", async () => {
    const conda = makeFakeConda(join(folder(), "fake"), ["policy"]);
    writeSection("- conda_env: policy");
    const { program, env } = await choose(undefined, { CONDA_EXE: conda, KEPT: "1" });
    expect(program).toBe(join(folder(), "fake", "envs", "policy", "bin", "python"));
    expect(env).toMatchObject({ CONDA_DEFAULT_ENV: "policy", KEPT: "1" });
    expect(await findFault(undefined, { CONDA_EXE: makeFakeConda(join(folder(), "empty"), []) })).toBe(
      "environment_missing",
    );
  });

  it("is not entered by lines that nobody trusted", async () => {
    writeSection("- activate: `source ./own.sh`");
    expect(await findFault(undefined)).toBe("trust_needed");
  });

  it("is python3 where nothing else is said", async () => {
    const program = makeProgram("bin", "python3");
    expect(await choose(undefined, { PATH: join(folder(), "bin") })).toMatchObject({
      program,
      said: "on PATH",
    });
    expect(await findFault(undefined, { PATH: join(folder(), "nothing") })).toBe("interpreter_missing");
  });
});
