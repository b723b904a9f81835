import { describe, expect, test } from "vitest";
import { parsePipPhase, splitPipArguments } from "./pip-arguments.ts";
import { findLocalPaths, listRequirementFiles } from "./requirement-files.ts";

test.each([
  [
    ["torch==2.4.0", "numpy>=1.20, <2"],
    ["torch==2.4.0", "numpy>=1.20, <2"],
  ],
  [['numpy>=1; python_version < "3.12"'], ['numpy>=1; python_version < "3.12"']],
  [["--index-url https://wheels.example/cu121"], ["--index-url", "https://wheels.example/cu121"]],
  [
    ["--index-url", "https://wheels.example/cu121", "torch"],
    ["--index-url", "https://wheels.example/cu121", "torch"],
  ],
  [["torch --index-url https://wheels.example"], ["torch", "--index-url", "https://wheels.example"]],
  [["-r 'my needs.txt'"], ["-r", "my needs.txt"]],
  [['--config-settings="--build-option=a b"'], ["--config-settings=--build-option=a b"]],
  [["--no-index --pre"], ["--no-index", "--pre"]],
  [["pkg @ git+https://git.example/a-b@v1"], ["pkg @ git+https://git.example/a-b@v1"]],
  [["  spaced  "], ["spaced"]],
])("gives %j as %j", (phase, words) => {
  expect(splitPipArguments(phase)).toEqual(words);
});

test("tells packages from options and their values", () => {
  const phase = [
    "torch",
    "--index-url https://wheels.example",
    "--pre",
    "-rneeds.txt",
    "-c",
    "limits.txt",
    "numpy",
  ];
  const { packages, options } = parsePipPhase(phase);
  expect(packages).toEqual(["torch", "numpy"]);
  expect(options.map(({ name, value }) => [name, value])).toEqual([
    ["--index-url", "https://wheels.example"],
    ["--pre", null],
    ["--requirement", "needs.txt"],
    ["--constraint", "limits.txt"],
  ]);
});

describe("files of the project", () => {
  test("are the requirement files that are no addresses", () => {
    const pipPhases = [
      ["-r a.txt", "--requirement=b.txt"],
      ["-c", "a.txt", "-r https://files.example/r.txt", "numpy"],
    ];
    expect(listRequirementFiles({ pipPhases })).toEqual(["a.txt", "b.txt"]);
    expect(findLocalPaths({ pipPhases })).toEqual([]);
  });

  test("are the parts of it that are installed themselves", () => {
    const pipPhases = [["-e .", "./libs/a", "--find-links wheels", "numpy", "git+https://git.example/a.zip"]];
    expect(findLocalPaths({ pipPhases })).toEqual([".", "wheels", "./libs/a"]);
  });
});
