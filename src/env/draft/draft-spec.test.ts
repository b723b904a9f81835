import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { parseSpec } from "../spec/load-spec.ts";
import { draftSpec } from "./draft-spec.ts";

const folder = useTempFolder();

function draft(files: Record<string, string | Buffer>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder(), name)), { recursive: true });
    writeFileSync(join(folder(), name), text);
  }
  return draftSpec(folder());
}

/** As PyYAML reads the draft. */
function load(text: string): Record<string, unknown> {
  const program = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer)))";
  return JSON.parse(
    execFileSync(resolve(".venv/bin/python"), ["-c", program], { input: text, encoding: "utf8" }),
  );
}

describe("requirements.txt", () => {
  test("becomes a phase, and what builds against torch one after it", () => {
    const { text, files, warnings } = draft({
      "requirements.txt": [
        "# for training",
        "--extra-index-url https://wheels.example/cu121",
        "-r needs/data.txt",
        "torch==2.4.0+cu121  # pinned",
        "Pillow",
        "flash-attn==2.6.3",
        "numpy>=1.26, \\",
        "  <2 # until scipy follows",
        'pywin32; sys_platform == "win32"',
        "-e .",
      ].join("\r\n"),
      "needs/data.txt": "-c limits.txt\nopencv-python-headless\n-r ../requirements.txt\n",
      "needs/limits.txt": "",
    });
    expect(
      text,
    ).toBe(`# What this project's environment is, drafted from requirements.txt. Read it, correct it, then: sortie env build
# base: python:3.11
pip_phases:
  - - "--extra-index-url https://wheels.example/cu121"  # requirements.txt:2
    - "-c needs/limits.txt"  # needs/data.txt:1
    - ninja  # what the next phase is built with
    - "numpy>=1.26, <2"  # requirements.txt:7
    - opencv-python-headless  # needs/data.txt:2
    - packaging  # what the next phase is built with
    - Pillow  # requirements.txt:5
    - "pywin32; sys_platform == \\"win32\\""  # requirements.txt:9
    - setuptools  # what the next phase is built with
    - torch==2.4.0+cu121  # requirements.txt:4
    - wheel  # what the next phase is built with
  # Built against the torch of the phase before.
  - - "--extra-index-url https://wheels.example/cu121"  # requirements.txt:2
    - "-c needs/limits.txt"  # needs/data.txt:1
    - "--no-build-isolation"  # so that its build finds torch
    - flash-attn==2.6.3  # requirements.txt:6
  # The project itself.
  - - "--extra-index-url https://wheels.example/cu121"  # requirements.txt:2
    - "-c needs/limits.txt"  # needs/data.txt:1
    - "-e ."  # requirements.txt:10
smoke:
  import_names:
    - ninja
    - numpy
    - cv2  # opencv-python-headless
    - packaging
    - PIL  # pillow
    - torch
    - flash_attn  # flash-attn
`);
    expect(files).toEqual(["requirements.txt"]);
    expect(warnings).toEqual([]);
    expect(Object.keys(load(text))).toEqual(["pip_phases", "smoke"]);
  });

  test("stays a file where its lines mean something in a file alone", () => {
    const { text, warnings } = draft({ "requirements.txt": "numpy==1.0 --hash=sha256:00\n" });
    expect(load(text)).toEqual({ pip_phases: [["-r requirements.txt"]] });
    expect(warnings).toEqual([expect.stringContaining("hashes or variables")]);
  });

  test("may come from another shell, another machine, or with a password", () => {
    const lines = [
      "numpy @ file:///croot/numpy_1/work",
      "--index-url https://me:secret@wheels.example/",
      "--progress-bar off",
      "-r gone.txt",
      "torch",
    ];
    const { text, warnings } = draft({
      "requirements.txt": Buffer.from(`\uFEFF${lines.join("\r\n")}`, "utf16le"),
    });
    expect(load(text)).toMatchObject({ pip_phases: [["numpy", "torch"]] });
    expect(text).not.toContain("secret");
    expect(warnings).toEqual([
      expect.stringContaining("requirements.txt:1 names a file of another machine"),
      expect.stringContaining("requirements.txt:2 holds a password"),
      expect.stringContaining("requirements.txt:3: --progress-bar is not taken"),
      expect.stringContaining("requirements.txt:4 names gone.txt, which is not there"),
    ]);
  });
});

describe("pyproject.toml", () => {
  const PYPROJECT = `[build-system]
requires = ["setuptools"]
[project]
name = "lab"
requires-python = ">=3.9,<3.11"
dependencies = ["scikit-learn>=1.3", "einops", 'tomli; python_version < "3.11"']
[project.optional-dependencies]
dev = ["pytest"]
`;

  test("gives its dependencies, its Python and itself", () => {
    const { text, warnings } = draft({ "pyproject.toml": PYPROJECT });
    expect(load(text)).toEqual({
      base: "python:3.10",
      pip_phases: [["einops", "scikit-learn>=1.3", 'tomli; python_version < "3.11"'], ["-e ."]],
      smoke: { import_names: ["einops", "sklearn"] },
    });
    expect(text).toContain("base: python:3.10  # pyproject.toml:5 asks for >=3.9,<3.11\n");
    expect(warnings).toEqual(["pyproject.toml: the optional dependencies dev are not taken."]);
  });

  test("gives its Python and itself beside requirements.txt, which says what is installed", () => {
    const { text, files, warnings } = draft({
      "pyproject.toml": PYPROJECT,
      "requirements.txt": "einops==0.8\n",
    });
    expect(load(text)).toMatchObject({ base: "python:3.10", pip_phases: [["einops==0.8"], ["-e ."]] });
    expect(files).toEqual(["requirements.txt", "pyproject.toml"]);
    expect(warnings).toContain("pyproject.toml requires packages, too; requirements.txt was taken.");
  });

  test("is refused with its name and the fault", () => {
    expect(() => draft({ "pyproject.toml": "[project\n" })).toThrow(/^pyproject\.toml cannot be read: .+\.$/);
  });
});

describe("environment.yml", () => {
  test("gives its Python and its pip part; other packages are notes", () => {
    const { text, warnings } = draft({
      "environment.yml": `name: lab
channels: [conda-forge]
dependencies:
  - python=3.10.4=h12debd9_0
  - pip
  - cudatoolkit=11.8
  - pip:
      - -r requirements.txt
      - jax[cuda12]==0.4.30
`,
      "requirements.txt": "numpy\n",
    });
    expect(load(text)).toEqual({
      base: "conda:3.10.4",
      pip_phases: [["jax[cuda12]==0.4.30", "numpy"]],
      smoke: { import_names: ["jax", "numpy"] },
    });
    expect(text).toContain("#   cudatoolkit=11.8  (environment.yml:6)\n");
    expect(warnings).toEqual([expect.stringMatching(/packages of conda .*: cudatoolkit=11\.8\.$/)]);
  });
});

test("what stands in environment.yaml is said to come from there", () => {
  const { text, files } = draft({
    "environment.yaml": "dependencies: [python=3.10, {pip: [numpy]}]\n",
    ".python-version": ">=3.9,<3.13\n",
  });
  expect(load(text)).toMatchObject({ base: "conda:3.10", pip_phases: [["numpy"]] });
  expect(files).toEqual(["environment.yaml"]);
  expect(text).toContain("drafted from environment.yaml.");
});

test("a range in .python-version gives one of its versions", () => {
  expect(load(draft({ ".python-version": ">=3.9,<3.13\n" }).text)).toMatchObject({ base: "python:3.11" });
});

test("a folder without any of them gets an empty draft, and is told so", () => {
  const { text, files, warnings } = draft({ ".python-version": "3.12\n" });
  expect(load(text)).toEqual({ base: "python:3.12", pip_phases: [] });
  expect(files).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("There is no requirements.txt")]);
});

test("what the files hold stays text, whatever YAML or a terminal would make of it", () => {
  const odd = [
    "yes",
    "no==1",
    "a: b",
    "'q' \"d\"",
    "x @ https://e.example/a#b",
    "\u0085 \u007f \u2028é💡",
    "!tag",
    "*a",
    "{a}",
  ];
  const { text } = draft({ "requirements.txt": odd.join("\n") });
  const { pip_phases: phases } = load(text) as { pip_phases: string[][] };
  expect([...(phases[0] ?? [])].sort()).toEqual(odd.map((line) => line.trim()).sort());
});

test("a draft is a specification", () => {
  const { text } = draft({
    "pyproject.toml":
      '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "lab"\nrequires-python = ">=3.10"\n',
    "requirements.txt": "--extra-index-url https://wheels.example/cu121\ntorch\nxformers\nno\n",
  });
  const { spec, warnings } = parseSpec(text, { file: "env-spec.yaml" });
  expect(warnings).toEqual([]);
  expect(spec).toMatchObject({
    base: "python:3.11",
    smoke: { importNames: ["ninja", "no", "packaging", "torch", "xformers"] },
  });
  expect(spec.pipPhases).toHaveLength(3);
});
