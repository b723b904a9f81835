import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeConda } from "../../test/support/fake-conda.ts";
import { findTool } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { quoteShell } from "../base/quote.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import type { EnvironmentRequest } from "./activation.ts";
import { checkEnvironment } from "./check-environment.ts";

const folder = useTempFolder();
const runner = makeLocalRunner();
const check = (request: EnvironmentRequest, env: Record<string, string | undefined> = {}) =>
  checkEnvironment(runner, request, {
    token: "token",
    env: { PATH: process.env["PATH"], HOME: folder(), ...env },
  });

/** What the activation lines make of a shell. */
const enter = async (lines: readonly string[], shell: string, question: string) => {
  const text = [...lines, question].join("\n");
  const env = { PATH: process.env["PATH"], HOME: folder() };
  return (await runner.run([shell, "-c", text], { env, timeoutMs: 10_000 })).stdout.trim();
};

describe("an environment", () => {
  it("is the caller's where none is asked for", async () => {
    const { activation, python } = await check({ kind: "caller" });
    expect(activation).toMatchObject({ lines: [], shell: "sh" });
    expect(python?.path).toBe(findTool("python") ?? findTool("python3"));
    expect(python?.version).toMatch(/^3\.\d+/);
  });

  it("is a real virtual environment", async () => {
    const path = join(folder(), "the venv");
    await runner.run(["python3", "-m", "venv", "--without-pip", path], { timeoutMs: 60_000 });
    const { activation, python } = await check({ kind: "venv", path, madeBy: "venv" });
    expect(python?.path).toBe(join(path, "bin", "python"));
    expect(await enter(activation.lines, activation.shell, "python -c 'import sys; print(sys.prefix)'")).toBe(
      path,
    );
  });

  it("is a conda environment, whose program is found or named", async () => {
    const conda = makeFakeConda(join(folder(), "miniconda3"), ["research"]);
    const prefix = join(folder(), "miniconda3", "envs", "research");
    for (const named of [null, conda]) {
      const { activation, python } = await check({
        kind: "conda",
        name: "research",
        conda: named,
        script: null,
      });
      expect(activation.shell).toBe("bash");
      expect(activation.lines[0]).toContain(quoteShell(conda));
      expect(python?.path).toBe(join(prefix, "bin", "python"));
      expect(await enter(activation.lines, "bash", 'echo "$CONDA_PREFIX"')).toBe(prefix);
    }
  });

  it("is a conda environment whose conda.sh is sourced", async () => {
    const conda = makeFakeConda(join(folder(), "far", "conda"), ["research"]);
    const script = join(folder(), "conda.sh");
    writeFileSync(script, (await runner.run([conda, "shell.bash", "hook"], { timeoutMs: 5000 })).stdout);
    const { activation } = await check({ kind: "conda", name: "research", conda: null, script });
    const prefix = join(folder(), "far", "conda", "envs", "research");
    expect(await enter(activation.lines, "bash", 'echo "$CONDA_PREFIX"')).toBe(prefix);
  });

  it("is whatever a trusted line of shell makes of it", async () => {
    const { activation } = await check({ kind: "shell", text: "export MODE='a b' && cd /", conda: null });
    expect(await enter(activation.lines, activation.shell, 'echo "$MODE"')).toBe("a b");
  });
});

describe("an environment that is not there is refused, with what to do", () => {
  it.each<[string, (at: string) => EnvironmentRequest, RegExp, RegExp]>([
    [
      "no conda",
      () => ({ kind: "conda", name: "ml", conda: null, script: null }),
      /conda was not found/,
      /Install it/,
    ],
    [
      "named conda",
      (at) => ({ kind: "conda", name: "ml", conda: `${at}/x`, script: null }),
      /x is not there/,
      /name its program/,
    ],
    [
      "no venv",
      (at) => ({ kind: "venv", path: `${at}/v`, madeBy: "venv" }),
      /its Python is not there/,
      /-m venv/,
    ],
    ["no uv project", (at) => ({ kind: "venv", path: `${at}/v`, madeBy: "uv" }), /not there/, /uv sync/],
    [
      "a line that fails",
      () => ({ kind: "shell", text: "echo broken >&2; false", conda: null }),
      /broken/,
      /activation line/,
    ],
  ])("%s", async (_, makeRequest, reason, advice) => {
    const fault = await check(makeRequest(folder()), { PATH: "/usr/bin:/bin" }).catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: "environment_missing" });
    expect(fault.message).toMatch(reason);
    expect(fault.hint).toMatch(advice);
  });

  it("an unknown conda environment", async () => {
    makeFakeConda(join(folder(), "miniforge3"), ["other"]);
    const fault = await check({ kind: "conda", name: "ml", conda: null, script: null }).catch(
      (thrown) => thrown,
    );
    expect(fault.message).toContain("EnvironmentNameNotFound");
    expect(fault.hint).toContain("conda create -n ml");
  });

  it("a program on the way that talks, or a folder called conda, does no harm", async () => {
    mkdirSync(join(folder(), "miniconda3", "bin", "conda"), { recursive: true });
    const { python } = await check({ kind: "shell", text: "echo hello; echo end=token >&2", conda: null });
    expect(python?.path).toBe(findTool("python") ?? findTool("python3"));
  });
});
