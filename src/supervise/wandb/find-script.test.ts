import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { findScript } from "./find-script.ts";

const folder = useTempFolder();

const find = (line: string) => {
  mkdirSync(join(folder(), "pkg", "tool"), { recursive: true });
  for (const file of ["train.py", "pkg/mod.py", "pkg/tool/__main__.py"])
    writeFileSync(join(folder(), file), "");
  return findScript(line.split(" "), folder())?.slice(folder().length + 1) ?? null;
};

it.each([
  ["python train.py --lr 0.1", "train.py"],
  ["/usr/bin/python3.11 -u -W ignore -X dev ./train.py", "train.py"],
  ["python -m pkg.mod --steps 3", "pkg/mod.py"],
  ["python -um pkg.tool", "pkg/tool/__main__.py"],
  ["torchrun --nproc_per_node 4 --master_port=29500 train.py other.py", "train.py"],
  ["torchrun --nproc-per-node=2 -m pkg.mod", "pkg/mod.py"],
  ["python -m torch.distributed.run --nproc_per_node 2 train.py", "train.py"],
  ["accelerate launch --mixed_precision fp16 train.py --x y", "train.py"],
  ["accelerate launch -m pkg.mod", "pkg/mod.py"],
  ["deepspeed --num_gpus 2 train.py --deepspeed ds.json", "train.py"],
  ["uv run train.py", "train.py"],
  ["uv run --with numpy python -u train.py", "train.py"],
  ["uv run python -m pkg.mod", "pkg/mod.py"],
  ["env OMP_NUM_THREADS=4 LR=1 python train.py", "train.py"],
  ["LR=1 python train.py", "train.py"],
  ["nohup nice -n 5 torchrun train.py", "train.py"],
  ["conda run -n ml python train.py", "train.py"],
  ["./train.py", "train.py"],
])("%s runs %s", (line, script) => {
  expect(find(line)).toBe(script);
});

it.each([
  "python -c print(1) train.py",
  "python - train.py",
  "python gone.py",
  "python -m json.tool train.py",
  "sh run.sh",
  "python",
  "torchrun",
  "env A=1",
])("%s names no script of the folder", (line) => {
  expect(find(line)).toBeNull();
});
