import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFakeConda } from "../../../test/support/fake-conda.ts";
import { findFewShells, linkTools } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { writeWheel } from "../../../test/support/wheel.ts";
import { makeSettings } from "../../base/script.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import type { HostBuildTerms } from "./build-steps.ts";
import { listBuildSteps, renderHostBuild } from "./host-build.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder(), name);
const EMPTY: EnvSpec = {
  base: null,
  systemPkgs: [],
  pipPhases: [],
  env: {},
  runCommands: [],
  weightDirs: [],
  smoke: { importNames: [], gpuTests: [], cliChecks: [] },
};

beforeEach(() => {
  for (const name of ["project", "home", "wheels", "envs"]) mkdirSync(place(name));
  writeWheel(place("wheels"), { name: "alpha", version: "1.0" });
  writeWheel(place("wheels"), { name: "alpha", version: "2.0" });
  writeWheel(place("wheels"), { name: "beta", version: "1.0", requires: ["alpha"] });
  writeWheel(place("wheels"), { name: "gamma", version: "0.1" });
  writeFileSync(place("project/need it.txt"), "gamma # made above\n");
});

/** With what an engine puts above the text, in its shortest form. */
function build(spec: Partial<EnvSpec>, terms: Partial<HostBuildTerms> = {}, { shell = "sh", env = {} } = {}) {
  const whole = { ...EMPTY, ...spec };
  const head = makeSettings({ sortie_prefix: place("envs/a-1"), sortie_project: place("project") });
  const text = renderHostBuild(whole, { tool: "uv", python: null, ...terms });
  const [program = "", ...words] = shell.split(" ");
  const { status, stdout, stderr } = spawnSync(program, [...words, "-s"], {
    input: `${head}sortie_step() { echo "step: $1"; }\n${text}`,
    env: {
      ...{ ...process.env, HOME: place("home"), CONDA_EXE: makeFakeConda(place("conda's"), []) },
      ...{ PATH: `${resolve(".venv/bin")}:${process.env["PATH"]}`, ...env },
    },
    encoding: "utf8",
  });
  const steps = stdout.split("\n").flatMap((line) => /^step: (.*)/.exec(line)?.[1] ?? []);
  return {
    status,
    stdout,
    stderr,
    steps,
    expected: listBuildSteps(whole),
    last: stderr.trim().split("\n").at(-1),
  };
}

const findWheels = () => `--find-links ${pathToFileURL(place("wheels")).href.replaceAll("'", "%27")}`;

/** uv is fast enough for all; a venv takes seconds. */
const builders = [
  ...findFewShells().map((shell) => ["uv", shell] as const),
  ["venv", "busybox sh"] as const,
  ["conda", "bash"] as const,
];

/** Making a venv takes long where others work, too. */
const VENV_TIMEOUT_MS = 180_000;

test.each(builders)("builds with %s in %s", { timeout: VENV_TIMEOUT_MS }, (tool, shell) => {
  const offline = ["--no-index", findWheels()];
  const spec = {
    pipPhases: [
      [...offline, "alpha==1.0"],
      ["beta", ...offline],
      [...offline, "-r 'need it.txt'"],
    ],
    env: { GREETING: "it's $HOME" },
    weightDirs: [
      { path: "~/we ights", source: null, gated: false, env: "WEIGHTS" },
      { path: "data", source: null, gated: false, env: "DATA" },
    ],
    runCommands: [
      'python -c "import alpha, beta, gamma; print(alpha.version)" >"out put"',
      'printf "%s\\n" "$GREETING" "$WEIGHTS" "$DATA" >>"out put"\npwd >>"out put"',
    ],
  };
  const result = build(spec, { tool, python: "3.11" }, { shell });
  expect(result, result.stderr).toMatchObject({ status: 0, steps: result.expected });
  expect(result.steps).toEqual(["python", "pip 1", "pip 2", "pip 3", "run 1", "run 2"]);
  const project = place("project");
  const lines = ["1.0", "it's $HOME", place("home/we ights"), join(project, "data"), project];
  expect(readFileSync(join(project, "out put"), "utf8")).toBe(`${lines.join("\n")}\n`);
});

describe.each(findFewShells())("%s", (shell) => {
  test("ends at the first step that fails, with its code and its name", () => {
    const runCommands = ["true", "echo one; (exit 7)\necho two", "echo three"];
    const result = build({ runCommands }, {}, { shell });
    expect(result).toMatchObject({ status: 7, steps: ["python", "run 1", "run 2"] });
    expect(result.last).toBe('sortie: the step "run 2" failed with code 7');
    expect(result.stdout).not.toMatch(/two|three/);
  });

  test("tells which Pythons there are when the wanted one is not", () => {
    const result = build({}, { tool: "venv", python: "3.99" }, { shell });
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/there is no Python 3\.99 here; there is: 3\.\d+\.\d+ \(.*python3\)/);
    expect(existsSync(place("envs/a-1"))).toBe(false);
  });

  test("names the packages of the system that are missing, and how to install them", () => {
    const answer = (code: string) => `#!/bin/sh\n${code}\n`;
    const tools = linkTools(place("tools"), ["sh", "bash", "dash", "busybox", "grep", "sed", "env"]);
    const query = 'case $3 in libgl1) echo "Status: install ok installed" ;; *) exit 1 ;; esac';
    writeProgram(join(tools, "apt-get"), answer("exit 9"));
    writeProgram(join(tools, "dpkg-query"), answer(query));
    const spec = { systemPkgs: ["libgl1", "ffmpeg=7:5.1", "git-lfs"] };
    const result = build(spec, {}, { shell, env: { PATH: tools } });
    expect(result).toMatchObject({ status: 1, steps: ["system"] });
    expect(result.stderr).toContain("build again: sudo apt-get install -y ffmpeg=7:5.1 git-lfs\n");
    expect(result.last).toBe('sortie: the step "system" failed with code 1');
  });

  test.each(["uv", "conda"] as const)("says that %s is not there", (tool) => {
    const tools = linkTools(place("tools"), ["sh", "bash", "dash", "busybox", "env"]);
    const result = build({}, { tool }, { shell, env: { PATH: tools, CONDA_EXE: "" } });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain(`${tool} is not here`);
  });
});

test("knows the system's own packages", () => {
  expect(build({ systemPkgs: ["dpkg"] })).toMatchObject({ status: 0, steps: ["system", "python"] });
  expect(build({ systemPkgs: ["no-such-package"] })).toMatchObject({ status: 1, steps: ["system"] });
});

test("keeps a person's own packages, and where a person's pip installs, out of it", {
  timeout: VENV_TIMEOUT_MS,
}, () => {
  const env = { PYTHONPATH: "/else where", PIP_USER: "1", PIP_TARGET: place("else where") };
  const spec = {
    pipPhases: [["--no-index", findWheels(), "gamma"]],
    runCommands: ["python -c 'import gamma, site; print(gamma.__file__, site.ENABLE_USER_SITE)'"],
  };
  const result = build(spec, { tool: "conda" }, { env });
  expect(result, result.stderr).toMatchObject({ status: 0 });
  expect(result.stdout).toMatch(/envs\/a-1\/lib\/.*gamma\.py False\n/);
  expect(existsSync(place("else where"))).toBe(false);
});

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
