import { expect, test } from "vitest";
import type { EnvSpec } from "../spec/env-spec.ts";
import { chooseLibrary } from "./choose-library.ts";

function makeSpec(pipPhases: readonly (readonly string[])[], importNames: readonly string[] = []): EnvSpec {
  return {
    ...{ base: null, systemPkgs: [], pipPhases, env: {}, runCommands: [], weightDirs: [] },
    smoke: { importNames, gpuTests: [], cliChecks: [] },
  };
}

test.each([
  [["torch==2.4.0", "numpy<2"], "torch"],
  [["numpy", "Torch>=2; python_version < '4'"], "torch"],
  [["jax[cuda12]==0.4.30", "numpy"], "jax"],
  [["cupy_cuda12x", "numpy"], "cupy"],
  [["cupy-cuda11x==12.*"], "cupy"],
  [["cupy"], "cupy"],
  [["numpy @ file:///wheels/numpy.whl"], "numpy"],
  [["./wheels/torch-2.1.0+cu121-cp311-cp311-linux_x86_64.whl"], "torch"],
  [["torchvision", "torch-scatter", "jaxtyping", "numpydoc"], null],
  [["--index-url", "https://download.example.org/torch/", "-e", "."], null],
  [["git+https://example.org/torch.git"], null],
  [[], null],
] as const)("%j is witnessed by %s", (phase, library) => {
  expect(chooseLibrary(makeSpec([["wheel"], phase]))).toBe(library);
});

test("imports and requirement files count, too", () => {
  expect(chooseLibrary(makeSpec([["-r", "requirements.txt"]], ["torch.nn"]))).toBe("torch");
  expect(chooseLibrary(makeSpec([["-r", "requirements.txt"]]), ["numpy==1.26", "# torch", "jax"])).toBe(
    "jax",
  );
});
