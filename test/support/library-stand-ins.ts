import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import jax from "./jax-stand-in.py";
import torch from "./torch-stand-in.py";

/**
 * Writes packages called torch and jax into the folder, to be imported from there (`PYTHONPATH`): they have of their
 * namesakes what a witness calls, over numpy. What card they see is in variables: see their texts.
 */
export function writeLibraryStandIns(folder: string): void {
  for (const [name, text] of [
    ["torch", torch],
    ["jax", jax],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "__init__.py"), text);
  }
  writeFileSync(
    join(folder, "jax", "numpy.py"),
    "from jax import asarray, bfloat16, float16, float32, matmul, sum\n",
  );
}
