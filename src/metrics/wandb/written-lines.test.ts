import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../../test/support/contestant.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { readScriptFile } from "../../../test/support/training-scripts.ts";
import { instrumentBytes } from "./instrument-bytes.ts";

const folder = useTempFolder();

/** Stands for W&B: it writes a line of JSON for each call, and fails where it is told to. */
const WANDB = `
import json, os
run, is_over = None, False
def tell(what, *told):
    with open("told", "a") as file:
        file.write(json.dumps([what, *told]) + "\\n")
    if what in os.environ.get("FAILS", "").split():
        raise RuntimeError("W&B is in trouble")
if os.environ.get("FAILS") == "import":
    raise RuntimeError("W&B is in trouble")
def init(config=None, mode=None):
    global run
    if mode and not is_over:
        raise RuntimeError("the id is in use")
    tell(mode or "init", config)
    run = type("Run", (), {"step": 0})
def teardown():
    global is_over
    is_over = True
def log(numbers, step=None):
    tell("log", numbers)
def finish(exit_code=0):
    tell("finish", exit_code)
`;

test("a model that is fitted twice logs each batch once", async () => {
  const fit = "model.fit(x_train, y_train, batch_size=batch_size, epochs=epochs, validation_split=0.1)\n";
  const keras = readScriptFile("keras_fit.py").toString();
  const { told } = await runWritten(keras.replace(fit, `${fit}${fit}`));
  // Two fits of two epochs, each with four batches and a validation.
  expect(told.filter(([what]) => what === "log")).toHaveLength(20);
});

test("a configuration that is no collection of settings ends no training", async () => {
  const { told, stdout } = await runWritten(
    `import torch
def load_config():
    return [0.1, 0.01]
config = load_config()
for rate in config:
    loss = torch.tensor(rate)
    loss.backward()
print("done")
`,
  );
  expect(stdout).toBe("done\n");
  expect(told.map(([what]) => what)).toEqual(["init", "log", "log", "finish"]);
});

const LOOP = `import torch
for value in (2.0, 1.0):
    loss = torch.tensor(value)
    loss.backward()
print("done")
`;

test.each([
  ["init", ["init", "offline", "log", "log", "finish"], "the run now, it is kept here"],
  ["init offline", ["init", "offline"], "all (start)"],
  ["log", ["init", "log", "log", "finish"], "step 1"],
  ["finish", ["init", "log", "log", "finish"], "all (end)"],
  ["import", [], "anything"],
])("W&B's trouble with %s ends no training, and is told", async (fails, calls, words) => {
  const { told, stdout, stderr } = await runWritten(LOOP, { FAILS: fails });
  expect(stdout).toBe("done\n");
  expect(told.map(([what]) => what)).toEqual(calls);
  expect(stderr).toContain(`W&B does not get ${words}: RuntimeError('W&B is in trouble')`);
});

test("what a framework does not have ends no training", async () => {
  const keras = readScriptFile("keras_fit.py").toString();
  const { stdout, stderr } = await runWritten(keras.replace("\n\n", "\ndel keras.callbacks.Callback\n"));
  expect(stdout).toContain("Test loss: 1.5");
  expect(stderr).toContain("W&B does not get all (watch)");
});

test("a constant that comes after the call, or is a name of the function's own, is not read before it is there", async () => {
  const { told } = await runWritten(`import torch
RATE = 0.1
turn = 5
def main():
    for turn in range(2):
        loss = torch.tensor(float(turn))
        loss.backward()
if __name__ == "__main__":
    main()
LATE = 1
`);
  expect(told[0]).toEqual(["init", { RATE: 0.1 }]);
});

/** Runs a script with the lines written into it; what W&B was told of comes back as [name, ...values]. */
async function runWritten(text: string, env: Record<string, string> = {}) {
  const { outcome } = await instrumentBytes(Buffer.from(text), "train.py");
  if ("refused" in outcome) throw new Error(outcome.refused);
  mkdirSync(join(folder(), "wandb"), { recursive: true });
  writeFileSync(join(folder(), "train.py"), outcome.text);
  writeFileSync(join(folder(), "wandb", "__init__.py"), WANDB);
  writeFileSync(join(folder(), "told"), "");
  const { stdout, stderr, status } = spawnSync(join(CHECKOUT, ".venv", "bin", "python"), ["train.py"], {
    cwd: folder(),
    env: {
      ...process.env,
      PYTHONPATH: join(CHECKOUT, "fixtures", "stand-ins"),
      PYTHONDONTWRITEBYTECODE: "1",
      ...env,
    },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const lines = readFileSync(join(folder(), "told"), "utf8").split("\n").filter(Boolean);
  return { stdout, stderr, told: lines.map((line) => JSON.parse(line) as [string, ...unknown[]]) };
}
