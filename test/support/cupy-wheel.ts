import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import cupy from "./cupy-stand-in.py";
import type { FakeGpus } from "./fake-gpus.ts";
import { writeWheel } from "./wheel.ts";

/** What goes wrong in it: see `cupy-stand-in.py`. */
export type CupyFault =
  | "nan"
  | "hang"
  | "no_kernel"
  | "crash"
  | "forged"
  | "wrong"
  | "no_driver"
  | "other_card";

/**
 * Writes a wheel that stands in for cupy: numpy underneath, on the GPUs of the stand-in for nvidia-smi that is on PATH.
 * Answers with its path, which can also be imported from as it is (`PYTHONPATH`).
 */
export function writeCupyWheel(folder: string): string {
  return writeWheel(folder, { name: "cupy", version: "13.0.0", code: cupy });
}

/** Makes the stand-in fail from now on; null: it works again. */
export function setCupyFault(gpus: FakeGpus, fault: CupyFault | null): void {
  const file = join(gpus.env["FAKE_NVIDIA_DIR"] as string, "cupy-fault");
  if (fault === null) rmSync(file, { force: true });
  else writeFileSync(file, fault);
}
