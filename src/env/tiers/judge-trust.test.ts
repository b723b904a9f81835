import { describe, expect, test } from "vitest";
import type { EnvSpec } from "../spec/env-spec.ts";
import { judgeTrust, type TrustQuestion } from "./judge-trust.ts";
import { makeTierRecord, type TierTry } from "./make-tier-record.ts";

const CARD = { uuid: "GPU-1", model: "A100", driver: "535" };
const OTHER = { ...CARD, uuid: "GPU-2" };
const PLACE = {
  environment: "/envs/x-12345678-1",
  interpreter: { path: "/envs/x-12345678-1/bin/python", version: "3.11.7", packages: null },
};
const SPEC: EnvSpec = {
  ...{ base: null, systemPkgs: [], pipPhases: [["torch==2.4.0"]], env: {}, runCommands: [], weightDirs: [] },
  smoke: { importNames: ["torch"], gpuTests: [], cliChecks: [] },
};

function record(change: Partial<TierTry>) {
  const shown = { tier: 1 as const, passed: true, message: "it imports torch", at: new Date(0) };
  return makeTierRecord({ ...shown, ...PLACE, ...change });
}

const IMPORTS = record({});
const WITNESS = record({ tier: 2, card: CARD, message: "torch computed" });
const DOCUMENT = record({ tier: 3, document: "aaaaaaaa", message: "the document is true" });
const ALL = [IMPORTS, WITNESS, DOCUMENT];

function judge(change: Partial<TrustQuestion> = {}) {
  const question = { spec: SPEC, records: ALL, ...PLACE, cards: [CARD], document: "aaaaaaaa" };
  return judgeTrust({ ...question, ...change });
}

function listDue(change: Partial<TrustQuestion>) {
  return judge(change).due.map(({ tier, card, why }) => [tier, card?.uuid ?? null, why]);
}

describe("what is due", () => {
  test("nothing, where each tier has passed", () => {
    const why = "it imports torch; torch computed; the document is true";
    expect(judge()).toMatchObject({ due: [], passed: ALL, document: "passed", missing: null, why });
  });

  test("everything in a new environment", () => {
    const never = "it has not been tried yet";
    expect(listDue({ records: [] })).toEqual([
      [1, null, never],
      [2, "GPU-1", never],
      [3, null, never],
    ]);
    const fresh = "the environment is a new one";
    expect(listDue({ environment: "/envs/x-12345678-2" })).toEqual([
      [1, null, fresh],
      [2, "GPU-1", fresh],
      [3, null, fresh],
    ]);
  });

  test("the witness alone for a new driver, a new card, or another model under its name", () => {
    const driver = "the driver is 550 now, it was 535";
    expect(listDue({ cards: [{ ...CARD, driver: "550" }] })).toEqual([[2, "GPU-1", driver]]);
    expect(listDue({ cards: [CARD, OTHER] })).toEqual([
      [2, "GPU-2", "it has not computed on this A100 yet (GPU-2)"],
    ]);
    const model = "the model of GPU-1 is H100 now, it was A100";
    expect(listDue({ cards: [{ ...CARD, model: "H100" }] })).toEqual([[2, "GPU-1", model]]);
  });

  test("the document alone where it was edited, and none where nothing is documented", () => {
    expect(listDue({ document: "bbbbbbbb" })).toEqual([[3, null, "what is documented has changed"]]);
    expect(judge({ document: "bbbbbbbb" }).document).toBe("due");
    expect(judge({ document: null })).toMatchObject({ due: [], document: "none" });
  });

  test("everything where a person has changed what is installed", () => {
    const interpreter = { ...PLACE.interpreter, packages: "cccc" };
    const why = "what is installed in it has changed";
    expect(listDue({ interpreter })).toEqual([
      [1, null, why],
      [2, "GPU-1", why],
      [3, null, why],
    ]);
    const newer = { ...PLACE.interpreter, version: "3.12.1" };
    expect(listDue({ interpreter: newer })[0]?.[2]).toBe("its Python is 3.12.1 now, it was 3.11.7");
  });

  test("a CPU witness for a run without GPUs, which counts for no GPU", () => {
    for (const cards of [null, []])
      expect(listDue({ cards })).toEqual([[2, null, "it has computed on GPUs, not on a CPU"]]);
    const cpu = record({ tier: 2, card: null });
    expect(listDue({ cards: null, records: [...ALL, cpu] })).toEqual([]);
    expect(listDue({ records: [IMPORTS, DOCUMENT, cpu] })).toHaveLength(1);
  });

  test("the newest try counts", () => {
    const failed = record({ tier: 2, card: CARD, passed: false, message: "no kernel image" });
    const judged = judge({ records: [...ALL, failed] });
    expect(judged.due).toEqual([{ tier: 2, card: CARD, failed, why: "it failed: no kernel image" }]);
    expect(judged.passed).toEqual([IMPORTS, DOCUMENT]);
    expect(judged.why).toBe("tier 2: it failed: no kernel image");
    expect(listDue({ records: [failed, ...ALL] })).toEqual([]);
  });
});

describe("what can never speak for a GPU", () => {
  const numpy = { ...SPEC, pipPhases: [["numpy"]], smoke: { ...SPEC.smoke, importNames: ["numpy"] } };
  const tests = { ...SPEC.smoke, gpuTests: [{ cmd: "x", expect: "ok" }] };
  const bare = { ...SPEC, pipPhases: [], smoke: { importNames: [], gpuTests: [], cliChecks: [] } };

  test("numpy, and nothing at all", () => {
    expect(judge({ spec: numpy }).missing?.reason).toMatch(/numpy.* on CPUs alone/);
    expect(judge({ spec: bare }).missing?.advice).toMatch(/smoke\.gpu_tests/);
  });

  test("but a test of the spec's own does, and a run without GPUs needs none", () => {
    expect(judge({ spec: { ...numpy, smoke: tests } }).missing).toBeNull();
    expect(judge({ spec: numpy, cards: null }).missing).toBeNull();
    expect(judge({ spec: bare, requirements: ["jax[cuda12]==0.4.30"] }).missing).toBeNull();
  });
});

test("a record is one printable line, and keeps only what its tier is about", () => {
  const made = record({
    tier: 1,
    card: CARD,
    document: "x",
    library: "torch 2",
    message: `a\n\x1b[31m${"b".repeat(999)}`,
  });
  expect(made).toMatchObject({ card: null, document: null, library: null, at: "1970-01-01T00:00:00.000Z" });
  expect(made.message).toMatch(/^a \\x1b\[31mb+…$/);
  expect(made.message).toHaveLength(400);
});
