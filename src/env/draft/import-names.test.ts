import { expect, test } from "vitest";
import { listImportNames } from "./import-names.ts";

test.each([
  ["numpy>=1.26,<2", "numpy"],
  ["Pillow", "PIL"],
  ["scikit_learn==1.5", "sklearn"],
  ["opencv-python", "cv2"],
  ["PyYAML", "yaml"],
  ["jax[cuda12]==0.4.30", "jax"],
  ["torch==2.4.0+cu121", "torch"],
  ["flash-attn @ https://wheels.example/flash_attn-2.6.3.whl", "flash_attn"],
  ["git+https://git.example/org/segment-anything.git@v1", "segment_anything"],
  ["git+https://git.example/org/x.git#egg=lab-tools", "lab_tools"],
  ["nvidia-ml-py", "pynvml"],
])("%s is imported as %s", (requirement, module) => {
  expect(listImportNames([requirement]).map((entry) => entry.module)).toEqual([module]);
});

test("leaves out what has no module, what is installed under a condition, and doubles", () => {
  const without = [
    "setuptools",
    "types-requests",
    "nvidia-cublas-cu12",
    'tomli; python_version < "3.11"',
    "./wheels/a.whl",
  ];
  expect(listImportNames(without)).toEqual([]);
  expect(listImportNames(["opencv-python", "opencv-contrib-python"])).toHaveLength(1);
});
