import { expect, test } from "vitest";
import { readScript } from "./read-script.ts";

const STEP = "for x in loader:\n    loss = f(x)\n    loss.backward()\n";

test.each([
  ["import wandb", "import", 1],
  ["import os, wandb as w", "import", 1],
  ["from wandb import init", "import", 1],
  ["def f():\n    import wandb.sdk", "import", 2],
  ["from lightning.pytorch.loggers import CSVLogger, WandbLogger", "logger", 1],
  ["import loggers\nlogger = loggers.WandbLogger(project='x')", "logger", 2],
  ["args = TrainingArguments(report_to='wandb')", "report_to", 1],
  ["args = TrainingArguments(\n    out,\n    report_to=['tensorboard', \"wandb\"])", "report_to", 3],
  ["args = TrainingArguments(report_to='all')", "report_to", 1],
  ["accelerator = Accelerator(log_with='wandb')", "report_to", 1],
  ["p.add_argument('--report_to', default='wandb')", "report_to", 1],
  ["wandb = load('wandb')", "name", 1],
  ["wandb = None", "name", 1],
  ["wandb = None\nif USE:\n    import wandb", "import", 3],
  ["wandb = load('wandb')\nwandb.log({})", "call", 2],
])("%s uses W&B", async (text, by, line) => {
  expect((await readScript(`${text}\n`)).wandb).toMatchObject({ by, line });
});

test.each([
  "# import wandb",
  "print('import wandb')",
  "import wandb_like",
  "TrainingArguments(report_to='none')",
  "p.add_argument('--wandb', action='store_true')\nif args.wandb:\n    pass",
  "f(wandb=False)",
])("%s does not use W&B", async (text) => {
  expect((await readScript(`${text}\n`)).wandb).toBeNull();
});

test.each([
  ["print 'x'\n", "python2", 1],
  ["x = 1\nexec 'y'\n", "python2", 2],
  ["try:\n    f()\nexcept ValueError, e:\n    pass\n", "python2", 3],
  ["x = (\n", "syntax", 1],
  ["def f(:\n    pass\n", "syntax", 1],
  ["x = 1\n%matplotlib inline\n", "syntax", 2],
  ['{"cells": [], "nbformat": 4}', "notebook", 1],
  ["x = 1\ry = 2\r", "line_ends", 1],
  ["x = '''\na  # sortie-wandb\n'''\n", "marks", 2],
  [`x = "${"a".repeat(2_000_000)}"\n`, "size", 1],
])("what is no script of today's Python is said with its line, case %#", async (text, kind, line) => {
  const { problem, sites } = await readScript(text);
  expect(problem).toMatchObject({ kind, line });
  expect(sites).toMatchObject({ line });
});

test.each([
  "",
  "\n",
  "# nothing\n",
  "\uFEFF",
  `${"\uFEFF".repeat(50_000)}x = 1  # sortie-wandb`,
  "{}",
  '"nbformat"',
  "\0",
  "x = 1",
])("any text has a reading, case %#", async (text) => {
  expect(await readScript(text)).toMatchObject({ loops: [], evaluations: [] });
});

test.each([
  ["args = parser.parse_args()", "args", "argparse"],
  ["args, rest = parser.parse_known_args()", "args", "argparse"],
  ["a, b = HfArgumentParser((A, B)).parse_args_into_dataclasses()", "a", "argparse"],
  ["def get():\n    return p.parse_args()\n\nopt = get()", "opt", "argparse"],
  ["def get():\n    a = p.parse_args()\n    a.x = 1\n    return a\n\nopt = get()", "opt", "argparse"],
  ["def main(cfg):\n    pass\n\nmain(p.parse_args())", "cfg", "argparse"],
  ["args = tyro.cli(Args)", "args", "argparse"],
  ["@hydra.main(config_path='.')\ndef main(cfg):\n    pass", "cfg", "hydra"],
  ["@app.command()\ndef main(lr: float = 0.1):\n    pass", "locals()", "function"],
  ["def main(lr=0.1):\n    pass\n\nfire.Fire(main)", "locals()", "function"],
  ["FLAGS = flags.FLAGS\n\ndef main(argv):\n    pass\n\napp.run(main)", "FLAGS", "flags"],
  ["config = {'lr': 0.1}", "config", "dict"],
  ["cfg = yaml.safe_load(open('a'))", "cfg", "object"],
  ["config = TrainConfig()", "config", "object"],
])("the arguments of %j", async (text, name, kind) => {
  expect((await readScript(`${text}\n`)).arguments).toMatchObject({ text: name, kind });
});

test.each([
  "config = model.state_dict()",
  "config = {}",
  "class A:\n    config = {'a': 1}",
  "x = {'lr': 0.1}",
])("%j has no arguments", async (text) => {
  expect((await readScript(`${text}\n`)).arguments).toBeNull();
});

test.each([
  [STEP, ["loss"]],
  ["for x in d:\n    scaler.scale(total_loss).backward()\n", ["total_loss"]],
  ["for x in d:\n    accelerator.backward(loss)\n", ["loss"]],
  ["for x in d:\n    (loss / args.accum).backward()\n", ["loss"]],
  ["for x in d:\n    loss = loss / args.accum_steps\n    loss.backward()\n", ["loss * args.accum_steps"]],
  ["for x in d:\n    loss.mean().backward()\n", ["loss"]],
  ["for x in d:\n    (a_loss + b_loss).backward()\n", ["a_loss + b_loss"]],
  ["for x in d:\n    d_loss.backward()\n    g_loss.backward()\n", ["d_loss", "g_loss"]],
  ["for x in d:\n    self.loss.backward()\n", ["self.loss"]],
  ["for x in d:\n    f(x).backward()\n", []],
  ["def step(x):\n    l.backward()\n    return l\n\nfor x in d:\n    loss = step(x)\n", ["loss"]],
  ["def step(x):\n    l.backward()\n\nfor x in d:\n    step(x)\n", ["l"]],
  ["for x in d:\n    loss = model.train_on_batch(x)\n", ["loss"]],
  [
    "@jax.jit\ndef step(s, x):\n    return s.apply_gradients(grads=g(s, x)), l\n\nfor x in d:\n    s, loss = step(s, x)\n",
    ["loss"],
  ],
  ["with a:\n    while True:\n        if ok:\n            loss.backward()\n", ["loss"]],
])("the losses of %j", async (text, losses) => {
  const { loops, names } = await readScript(text);
  expect(loops).toHaveLength(1);
  expect(names.losses).toEqual(losses);
});

test.each([
  ["val_loss = evaluate(m)", ["val_loss"]],
  ["loss, acc = validate(m)", ["loss", "acc"]],
  ["metrics = trainer.evaluate()", ["metrics"]],
  ["val = evaluate(m)", ["val"]],
  ["valid_acc = right / n", ["valid_acc"]],
  ["ppl = math.exp(x)", ["ppl"]],
  ["if a:\n        test_f1 = f(x)", ["test_f1"]],
  ["best_val_loss = min(a, b)", []],
  ["x_test, y_test = f(x)", []],
  ["test_loader = load_test(x)", []],
  ["val_losses = f(x)", []],
])("an evaluation: %j", async (text, names) => {
  const script = `for epoch in range(3):\n    for x in loader:\n        loss.backward()\n    ${text}\n`;
  expect((await readScript(script)).names.evaluation).toEqual(names);
});

test.each([
  ["opt = Adam(p)", "opt", 'opt.param_groups[0]["lr"]'],
  ["opt = parser.parse_args()\nrate = opt.lr", "opt", "opt.lr"],
  ["options = parser.parse_args()\nrate = options.lr", "options", "options.lr"],
])("the rate of %j", async (start, given, rate) => {
  const script = `def train(${given}):\n    for x in d:\n        loss.backward()\n\n${start}\ntrain(${given})\n`;
  expect((await readScript(script)).names.rate).toBe(rate);
});

test.each([
  ["import torch\n", "module", null],
  [`${STEP}\nif __name__ == '__main__':\n    pass\n`, "main_guard", null],
  [
    "def main():\n    for x in d:\n        l.backward()\n\nif '__main__' == __name__:\n    main()\n",
    "main_guard",
    "main",
  ],
  ["def train():\n    for x in d:\n        l.backward()\n", "import_only", null],
])("the entry of %j", async (text, kind, calls) => {
  expect((await readScript(text)).entry).toMatchObject({ kind, calls });
});
