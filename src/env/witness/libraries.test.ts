import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { makeLocalEnvHost } from "../../../test/support/env-host.ts";
import { writeLibraryStandIns } from "../../../test/support/library-stand-ins.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { Library } from "./choose-library.ts";
import { runWitness } from "./run-witness.ts";

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const CARD = { uuid: "GPU-0a1b2c3d-0000-4000-8000-000000000000", model: "NVIDIA A100", driver: "535.104.05" };
const folder = useTempFolder();
beforeEach(() => writeLibraryStandIns(folder()));

/** What the witness of a library finds on the card, or on a CPU. */
async function witness(library: Library | "auto", place: "card" | "cpu", env: Record<string, string> = {}) {
  const result = await runWitness(makeLocalEnvHost(), {
    ...{ enter: { lines: [], shell: "sh" }, python: PYTHON, folder: null, timeoutS: 60 },
    variables: { PYTHONPATH: folder(), ...env },
    ...{ library, gpu: place === "card" ? CARD : null },
  });
  const types = [...new Set(result.facts?.checks.map(({ type }) => type))];
  return { ...result, types };
}

describe("torch", () => {
  test.each([
    ["8.0", "", ["float32", "float16", "bfloat16"]],
    ["7.5", "", ["float32", "float16"]],
    ["7.5", "old", ["float32", "float16"]],
    ["9.0", "old", ["float32", "float16", "bfloat16"]],
    ["5.2", "", ["float32"]],
  ])("on a card of capability %s %s computes what it has", async (capability, special, types) => {
    const env = { FAKE_CAPABILITY: capability, FAKE_TORCH: special };
    const result = await witness("torch", "card", env);
    expect(result).toMatchObject({ state: "passed", types, facts: { cuda: "12.1", capability } });
    expect(result.facts?.uuid).toBe(special === "old" ? null : CARD.uuid.slice(4));
  });

  test("without a card, or without CUDA, is not let compute on a CPU", async () => {
    const blind = await witness("torch", "card");
    expect(blind).toMatchObject({ state: "failed", types: [] });
    expect(blind.message).toBe("torch 2.4.0+cu121 sees no GPU: No CUDA GPUs are available");
    const bare = await witness("torch", "card", { FAKE_CAPABILITY: "8.0", FAKE_TORCH: "cpu" });
    expect(bare.message).toBe("torch 2.4.0+cu121 sees no GPU: it was built without CUDA");
  });

  test("on a CPU leaves out the half that it does not have there", async () => {
    const result = await witness("torch", "cpu");
    expect(result).toMatchObject({ state: "passed", types: ["float32", "bfloat16"] });
    expect(result.facts?.skipped).toEqual(["float16"]);
  });

  test("beside a numpy that it was not built for", async () => {
    const result = await witness("torch", "cpu", { FAKE_TORCH: "apart" });
    expect(result).toMatchObject({ state: "failed", message: "RuntimeError: Numpy is not available" });
  });

  test("that gives NaN in one type alone", async () => {
    const result = await witness("torch", "card", { FAKE_CAPABILITY: "8.0", FAKE_TORCH: "nan" });
    expect(result.message).toBe("conv2d in bfloat16 gave NaN, infinity or another shape");
  });
});

describe("jax", () => {
  test.each([
    ["8.0", ["float32", "float16", "bfloat16"]],
    ["7.0", ["float32", "float16"]],
    ["gfx90a", ["float32", "float16", "bfloat16"]],
  ])("on a card of capability %s, whose memory it does not take", async (capability, types) => {
    const result = await witness("jax", "card", { FAKE_CAPABILITY: capability, FAKE_JAX: "greedy" });
    expect(result).toMatchObject({ state: "passed", types, facts: { cuda: "12.3", name: "NVIDIA A100" } });
  });

  test("without a card is not let compute on a CPU", async () => {
    const result = await witness("jax", "card");
    expect(result.message).toMatch(/^jax 0\.4\.30 sees no GPU: Unknown backend: 'gpu' requested/);
    const held = await witness("jax", "card", { FAKE_CAPABILITY: "8.0", JAX_PLATFORMS: "cpu" });
    expect(held.state).toBe("failed");
  });

  test("on a CPU", async () => {
    const result = await witness("jax", "cpu", { FAKE_CAPABILITY: "8.0" });
    expect(result).toMatchObject({ state: "passed", types: ["float32", "float16", "bfloat16"] });
  });
});

test("the first that is installed is taken where none is named", async () => {
  expect((await witness("auto", "cpu")).facts?.library).toBe("torch");
});
