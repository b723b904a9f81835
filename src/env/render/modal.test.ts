import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { renderModal } from "./modal.ts";

const folder = useTempFolder();
const EMPTY: EnvSpec = {
  ...{ base: null, systemPkgs: [], pipPhases: [], env: {}, runCommands: [], weightDirs: [] },
  smoke: { importNames: [], gpuTests: [], cliChecks: [] },
};
const render = (spec: Partial<EnvSpec>) =>
  renderModal({ ...EMPTY, ...spec }, { name: "a.b-c", hash: "0123abcd" });

test("defines the image in the order of a build", () => {
  const text = render({
    base: "python:3.11-slim",
    systemPkgs: ["git", "ffmpeg"],
    pipPhases: [
      ["torch==2.4.0", "--index-url https://wheels.example/cu121"],
      ["-r requirements.txt", "-c limits/all.txt"],
      ["numpy", 'scipy; python_version < "3.12"'],
    ],
    env: { TOKENIZERS_PARALLELISM: "false", HF_HOME: "/other" },
    runCommands: ["python -c 'print(\"a\")'", 'cd /tmp\necho "it\'s" \\n'],
    weightDirs: [
      { path: "~/weights/llama", source: "hf://meta/llama", gated: true, env: "LLAMA" },
      { path: "/data/x", source: null, gated: false, env: "HF_HOME" },
    ],
  });
  expect(text).toBe(`"""The environment a.b-c@0123abcd as an image of Modal, made from its specification."""

import modal

image = (
    modal.Image.debian_slim(python_version="3.11")
    .apt_install("git", "ffmpeg")
    .env({"LLAMA": "${ROOT}/weights/llama", "HF_HOME": "/other", "TOKENIZERS_PARALLELISM": "false"})
    .add_local_file("requirements.txt", "${ROOT}/requirements.txt", copy=True)
    .add_local_file("limits/all.txt", "${ROOT}/limits/all.txt", copy=True)
    .workdir("${ROOT}")
    .pip_install("torch==2.4.0", extra_options="--index-url https://wheels.example/cu121")
    .run_commands("python -m pip install -r requirements.txt -c limits/all.txt")
    .pip_install("numpy", "scipy; python_version < \\"3.12\\"")
    .run_commands("python -c 'print(\\"a\\")'")
    .run_commands("sh -ec \\"$(printf %b 'cd /tmp\\\\necho \\"it'\\\\''s\\" \\\\\\\\n')\\"")
)

# Weights belong on volumes, which a function names:
#   ${ROOT}/weights/llama from hf://meta/llama (access must be granted first)
#     volumes={"${ROOT}/weights/llama": modal.Volume.from_name("YOUR_VOLUME")}
#   /data/x
#     volumes={"/data/x": modal.Volume.from_name("YOUR_VOLUME")}
`);
});

test.each([
  [null, "modal.Image.debian_slim()"],
  ["venv:/opt/bin/python3", "modal.Image.debian_slim()"],
  ["3.12", 'modal.Image.debian_slim(python_version="3.12")'],
  ["conda:python=3.10", 'modal.Image.micromamba(python_version="3.10")'],
  ["pytorch/pytorch:2.4.0", 'modal.Image.from_registry("pytorch/pytorch:2.4.0")'],
  [
    "nvidia/cuda:12.4.1-devel-ubuntu22.04",
    'modal.Image.from_registry("nvidia/cuda:12.4.1-devel-ubuntu22.04", add_python="3.11")',
  ],
])("makes the base %j", (base, expected) => {
  expect(render({ base })).toContain(`\n    ${expected}\n`);
});

const ODD = `it's "odd" \\ \${HOME} é 💡 \t"""`;
const SPECS: Partial<EnvSpec>[] = [
  {},
  { base: "uv:3.11", pipPhases: [["numpy", "--pre"], ["--pre"]] },
  { base: "conda:3.11", systemPkgs: ["git"], pipPhases: [["-e .", "numpy"]] },
  {
    base: "nvidia/cuda:12.4.1-devel-ubuntu22.04",
    pipPhases: [["-r requirements.txt"]],
    runCommands: ["true", "a\nb"],
  },
  {
    env: { A: ODD },
    runCommands: [ODD],
    pipPhases: [[ODD]],
    weightDirs: [{ path: `/${ODD}\nimport no_such_module`, source: `${ODD}\nfail`, gated: true, env: null }],
  },
];

test("is what the real modal package takes, which dials nothing for it", () => {
  mkdirSync(join(folder(), "specs"));
  writeFileSync(join(folder(), "requirements.txt"), "numpy\n");
  for (const [index, spec] of SPECS.entries()) {
    writeFileSync(join(folder(), `specs/spec_${index}.py`), render(spec));
  }
  const program = [
    "import importlib, modal, socket, sys",
    "def refuse(*_): sys.exit('dialled')",
    "socket.socket.connect = refuse",
    "sys.path.insert(0, 'specs')",
    `for index in range(${SPECS.length}):`,
    "    assert isinstance(importlib.import_module(f'spec_{index}').image, modal.Image), index",
    "print('all')",
  ].join("\n");
  const python = resolve(".venv/bin/python");
  const env = { PATH: process.env["PATH"], HOME: folder(), PYTHONDONTWRITEBYTECODE: "1" };
  expect(execFileSync(python, ["-c", program], { cwd: folder(), env, encoding: "utf8" })).toBe("all\n");
});

/** Where Modal starts programs. */
const ROOT = ["", "root"].join("/");

test("refuses a variable of several lines, which an image cannot hold", () => {
  expect(() => render({ env: { KEY: "a\nb" } })).toThrow(/cannot be rendered for Modal: the value of KEY/);
});

test("writes a command of several lines so that a shell gets them again", () => {
  const line = /\.run_commands\((".*")\)\n\)/.exec(
    render({ runCommands: ['echo "it\'s\\n"\nfalse\necho no'] }),
  )?.[1] as string;
  const command = JSON.parse(line) as string;
  const shell = `${command}; echo "code $?"`;
  expect(execFileSync("sh", ["-c", shell], { encoding: "utf8" })).toMatch(/^it's(\\n|\n)\n?code 1\n$/);
});
