import { expect, it } from "vitest";
import type { ContractTerms } from "./contract-terms.ts";
import { describeContract, listContractEffects } from "./describe-contract.ts";

const CARD = { uuid: "GPU-1", model: "A100", driver: "550" };
const BARE: ContractTerms = {
  ...{
    name: "train",
    hash: "0123abcd",
    owner: "sortie",
    action: "reuse",
    why: "built today, unchanged since",
  },
  ...{ due: [], isUnverified: false, prefix: "/envs/train-0123abcd-1", specFile: "/p/env-spec.yaml" },
  spec: {
    ...{
      base: null,
      systemPkgs: [],
      pipPhases: [["torch"], ["numpy"]],
      env: {},
      runCommands: [],
      weightDirs: [],
    },
    smoke: { importNames: [], gpuTests: [{ cmd: "x", expect: "y" }], cliChecks: [] },
  },
  ...{ inputs: null, requirements: [], envsDir: "/envs", project: "/p", projectFolder: "/p" },
  ...{ build: { tool: "venv", python: null }, ledger: "/p/ledger.md", how: "by hand" },
  document: {
    commands: [{ file: "README.md", line: 12, text: "true\n", shell: "sh", expectations: [] }],
    hash: "aaaaaaaa",
  },
};
const describeWith = (change: Partial<ContractTerms>) => describeContract({ ...BARE, ...change });

it("is one line that tells what is done and what is due, each reason once", () => {
  expect(describeContract(null)).toBe("not under contract");
  expect(describeWith({})).toBe("train@0123abcd: reuse, built today, unchanged since; trusted");
  expect(describeWith({ isUnverified: true })).toMatch(/; unverified, as asked$/);
  const due: ContractTerms["due"] = [
    { tier: 1, card: null, why: "new" },
    { tier: 2, card: CARD, why: "new" },
    { tier: 2, card: { ...CARD, uuid: "GPU-2" }, why: "new" },
    { tier: 3, card: null, why: "the document has changed" },
  ];
  expect(describeWith({ due })).toMatch(
    /tiers 1 and 2 are due: new; tier 3 is due: the document has changed$/,
  );
});

it("lists every side effect before the run, and none where nothing is to be done", () => {
  expect(listContractEffects(BARE, "box")).toEqual([]);
  const due: ContractTerms["due"] = [
    { tier: 2, card: CARD, why: "new" },
    { tier: 3, card: null, why: "new" },
  ];
  expect(listContractEffects({ ...BARE, action: "rebuild", due }, "box")).toEqual([
    "rebuild the environment train@0123abcd in /envs on box with venv, 2 calls of pip",
    "let torch compute and run its own GPU tests on 1 GPU (tier 2, the witness)",
    "run the documented command of README.md line 12 in a copy of the code (tier 3)",
    "write what was shown into the ledger /p/ledger.md",
  ]);
});
