import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { makeSortie } from "./sortie.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Like a small training: it prints a line a step, halving the loss of 8 and less each time, waits at `--hold STEP` for the file `go`, and
 * writes `results/metrics.json` at its end.
 */
const TRAIN = `
import argparse, json, os, sys, time

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--steps", type=int, default=10)
parser.add_argument("--hold", type=int, default=0)
parser.add_argument("--break-at", type=int, default=0)
args = parser.parse_args()
loss = 8.0
for step in range(1, args.steps + 1):
    loss = loss / 2 if step != args.break_at else float("nan")
    print(f"step {step}/{args.steps} | loss {loss} | lr {args.lr}")
    while step == args.hold and not os.path.exists("go"):
        time.sleep(0.02)
os.makedirs("results", exist_ok=True)
with open("results/metrics.json", "w") as file:
    json.dump({"eval_accuracy": 0.5 + args.lr + args.seed / 100}, file)
`;

export function writeTraining(project: string): void {
  writeFileSync(join(project, "train.py"), TRAIN);
}

/** What tests do with that script as a project's. */
export function makeTraining(sortie: ReturnType<typeof makeSortie>) {
  const inProject = (name: string) => join(sortie.project(), name);
  return {
    write: () => writeTraining(sortie.project()),
    go: () => writeFileSync(inProject("go"), ""),
    launch: (name: string, args: readonly string[] = []) =>
      sortie.launch(["python3", "train.py", ...args], ["--gpus", "none", "--name", name]),
    waitForHome: (id: string) =>
      waitFor(async () => (await sortie.show(id)).collected, { timeoutMs: 20_000, what: "results at home" }),
    /** Until its log has that text. */
    waitForLog: async (id: string, text: string) =>
      waitFor(async () => (await sortie.run(["logs", id])).stdout.includes(text), {
        what: `${text} in the log`,
      }),
    findKept: (id: string) => {
      const file = join(sortie.home(), "metrics", id, "1.json");
      return existsSync(file) ? file : null;
    },
  };
}
