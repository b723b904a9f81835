import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { hashSpecFile, loadSpec, parseSpec } from "./load-spec.ts";

const folder = useTempFolder();
const file = "env-spec.yaml";
const parse = (text: string) => parseSpec(text, { file });
const refuse = (act: () => unknown) => {
  try {
    return act();
  } catch (fault) {
    return fault;
  }
};

const WHOLE = `base: python:3.11
system_pkgs: [git, ffmpeg]
pip_phases:
  - [torch==2.3.1, --index-url, "https://wheels.example/cu121"]
  - [-r, requirements.txt]
env:
  HF_HOME: ~/cache
  OMP_NUM_THREADS: 4
  EMPTY: ""
run_commands:
  - python setup.py build
weight_dirs:
  - {path: ~/weights/pi0, source: https://models.example/pi0, gated: yes, env: PI0_WEIGHTS}
  - path: checkpoints
smoke:
  import_names: [torch, google.protobuf]
  gpu_tests:
    - {cmd: python -m bench, expect: 'ok \\d+'}
  cli_checks:
    - nvcc --version
    - {cmd: python -V, expect: 3\\.11}
`;

it("reads all that a specification may say", () => {
  const { spec, warnings, secrets } = parse(WHOLE);
  expect(spec).toEqual({
    base: "python:3.11",
    systemPkgs: ["git", "ffmpeg"],
    pipPhases: [
      ["torch==2.3.1", "--index-url", "https://wheels.example/cu121"],
      ["-r", "requirements.txt"],
    ],
    env: { HF_HOME: "~/cache", OMP_NUM_THREADS: "4", EMPTY: "" },
    runCommands: ["python setup.py build"],
    weightDirs: [
      { path: "~/weights/pi0", source: "https://models.example/pi0", gated: true, env: "PI0_WEIGHTS" },
      { path: "checkpoints", source: null, gated: false, env: null },
    ],
    smoke: {
      importNames: ["torch", "google.protobuf"],
      gpuTests: [{ cmd: "python -m bench", expect: "ok \\d+" }],
      cliChecks: [
        { cmd: "nvcc --version", expect: null },
        { cmd: "python -V", expect: "3\\.11" },
      ],
    },
  });
  expect([warnings, secrets]).toEqual([[], []]);
});

it("takes what is left out, or has no value, as empty", () => {
  const nothing = { importNames: [], gpuTests: [], cliChecks: [] };
  const { spec } = parse("base:\nenv: ~\nsmoke: {import_names: }\n");
  expect(spec).toEqual({
    ...{ base: null, systemPkgs: [], pipPhases: [], env: {}, runCommands: [], weightDirs: [] },
    smoke: nothing,
  });
});

it("reads a file of JSON by the same path", () => {
  const path = join(folder(), "env-spec.json");
  writeFileSync(path, '{"base": "uv:3.12",\n "pip_phases": [["numpy"]]}\n');
  const { spec, hash } = loadSpec(path);
  expect(spec).toMatchObject({ base: "uv:3.12", pipPhases: [["numpy"]] });
  expect(hash).toBe(parse("base: uv:3.12\npip_phases:\n- - numpy\n").hash);
});

describe("what is wrong is named with its line, what was found and what to do", () => {
  it.each([
    ["base: uv\npip_phase: []", 2, '"pip_phase" is not known', "`pip_phases`"],
    ["system_packages: [git]", 1, "is not known", "`system_pkgs`"],
    ["smoke:\n  gpu_test: []", 2, "is not known in smoke", "`gpu_tests`"],
    ["weight_dirs:\n- path: x\n  gate: yes", 3, "is not known in weight_dirs[0]", "`gated`"],
    ["smoke: {gpu_tests: [{cmd: x, expects: y}]}", 1, "in smoke.gpu_tests[0]", "`expect`"],
    ["base: 3.10", 1, "base must be a text, but is the number 3.1", "in quotes"],
    ["pip_phases: [torch]", 1, "pip_phases[0] is a text", "in brackets"],
    ["pip_phases:\n  - []", 2, "installs nothing", "Remove"],
    ["pip_phases:\n  - - numpy\n    - 1.26", 3, "pip_phases[0][1] must be a text", "in quotes"],
    ["system_pkgs: git", 1, "must be a list, but is a text", "a list"],
    ["run_commands:\n- make: all", 2, "must be a text, but is a mapping", "a text"],
    ["run_commands: ['']", 1, "is an empty text", "remove it"],
    ["env:\n  A: yes", 2, "env.A must be a text, but is the truth value true", "in quotes"],
    ["env:\n  A:", 2, "env.A must be a text, but is empty", "a text"],
    ["env:\n  MY-VAR: x", 2, "cannot be the name of a variable", "Letters"],
    ["env: [A=1]", 1, "env must be a mapping (name: value), but is a list", "mapping"],
    ["env: {1: x}", 1, "a name in env is the number 1", "in quotes"],
    ["weight_dirs: [{source: x}]", 1, "weight_dirs[0] has no `path`", "path: FOLDER"],
    ["weight_dirs: [{path: x, gated: 'no'}]", 1, "must be true or false, but is a text", "true or false"],
    ["weight_dirs: [{path: x, env: 1x}]", 1, "cannot be the name of a variable", "digit"],
    ["smoke: {import_names: [scikit-learn]}", 1, "which Python cannot import", "sklearn"],
    ["smoke: {gpu_tests: [{cmd: x}]}", 1, "needs both `cmd` and `expect`", "expect"],
    ["smoke: {gpu_tests: [nvidia-smi]}", 1, "must be a mapping", "mapping"],
    ["smoke:\n  cli_checks:\n  - {cmd: x, expect: '('}", 3, "is no regular expression", "backslash"],
    ["smoke: {cli_checks: [{expect: x}]}", 1, "has no `cmd`", "cmd"],
    ['run_commands: ["a\\0b"]', 1, "NUL", "remove it"],
    ["- base: uv", 1, "it must be a mapping (name: value), but is a list", "mapping"],
    ["base: [", 1, "a value is missing", "sortie env hash"],
    ["base: [a b", 1, "a comma or the bracket", "in quotes"],
  ])("%j", (text, line, reason, advice) => {
    const fault = refuse(() => parse(text));
    expect(fault).toMatchObject({ code: "spec_bad", exit: 2, details: { file, line } });
    expect(String(fault)).toContain(reason);
    expect((fault as { hint: string }).hint).toContain(advice);
  });

  it.each(["", "# nothing yet\n", "---\n", "~"])("an empty file: %j", (text) => {
    expect(String(refuse(() => parse(text)))).toContain("env-spec.yaml: it is empty");
  });
});

it("names what looks like a secret, never its value, and hashes all the same", () => {
  const secrets = [`hf_${"a".repeat(34)}`, `ghp_${"B".repeat(36)}`, `AKIA${"Z".repeat(16)}`, "0a".repeat(20)];
  const [hub, git, cloud, tracker] = secrets;
  const text = `env:\n  TOKEN_OF_HUB: ${hub}\n  HARMLESS: ${cloud}\n  WANDB_API_KEY: ${tracker}
  DB: postgres://me:geheim99@db/x\n  DB_PASSWORD: kater-8!karlo\nrun_commands:\n- git clone https://${git}@github.example/x\n`;
  const loaded = parse(text);
  expect(loaded.secrets).toEqual([
    { at: "env.TOKEN_OF_HUB", line: 2 },
    { at: "env.HARMLESS", line: 3 },
    { at: "env.WANDB_API_KEY", line: 4 },
    { at: "env.DB", line: 5 },
    { at: "env.DB_PASSWORD", line: 6 },
    { at: "run_commands[0]", line: 8 },
  ]);
  expect(loaded.warnings).toHaveLength(6);
  expect(loaded.warnings[0]).toMatch(/^env-spec.yaml, line 2: env.TOKEN_OF_HUB looks like a secret \(/);
  for (const secret of [...secrets, "geheim99", "karlo"])
    expect(loaded.warnings.join()).not.toContain(secret);
  expect(loaded.hash).toMatch(/^[0-9a-f]{8}$/);
  expect(parse(WHOLE).secrets).toEqual([]);
});

describe("a file", () => {
  it("that is not there is missing", () => {
    expect(refuse(() => loadSpec(join(folder(), "no.yaml")))).toMatchObject({
      code: "spec_missing",
      exit: 2,
    });
  });

  it("that is a folder, no text or far too long is unreadable", () => {
    const made = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder(), name), content);
      return join(folder(), name);
    };
    mkdirSync(join(folder(), "folder.yaml"));
    const paths = [
      join(folder(), "folder.yaml"),
      made("latin.yaml", Buffer.from("base: \xe9", "latin1")),
      made("long.yaml", `# ${"x".repeat(1024 * 1024)}`),
    ];
    for (const path of paths)
      expect(refuse(() => loadSpec(path))).toMatchObject({ code: "spec_unreadable", exit: 2 });
  });

  it("that is no specification has a hash, too", () => {
    const path = join(folder(), "any.yaml");
    writeFileSync(path, "- 1\n- two: ~\n");
    expect(hashSpecFile(path)).toMatchObject({ canonical: '[1,{"two":null}]', hash: "b44ed0b8" });
  });
});
