import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../../test/support/contestant.ts";
import { makeRandom } from "../../../test/support/random.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { listScripts, readScriptFile } from "../../../test/support/training-scripts.ts";
import { decodeScript } from "./decode-script.ts";
import { instrumentBytes, restoreBytes } from "./instrument-bytes.ts";
import { instrumentScript } from "./instrument-script.ts";
import { makeDiff } from "./make-diff.ts";
import { removeInstrumentation } from "./marks.ts";
import { parsePython } from "./python-tree.ts";
import { readScript } from "./read-script.ts";
import { findSyntaxProblem } from "./script-problem.ts";

const folder = useTempFolder();
const PYTHON = join(CHECKOUT, ".venv", "bin", "python");
/** Prints each text that does not compile though the one that it was made of does. */
const COMPILE = `
import json, sys
def compiles(text):
    try:
        return compile(text.encode(), "train.py", "exec", dont_inherit=True) is not None
    except (SyntaxError, ValueError):
        return False
for before, after in json.load(sys.stdin):
    if compiles(before) and not compiles(after):
        print(after)
`;

test("a diff is one that git applies, there and back", async () => {
  for (const file of ["mnist_argparse.py", "two_spaces_crlf.py", "char_gpt.py"]) {
    const { text } = decodeScript(readScriptFile(file));
    const made = await instrument(text, file);
    const path = join(folder(), file);
    writeFileSync(path, text);
    apply(made.diff);
    expect(execFileSync("cat", [path], { encoding: "utf8" })).toBe(made.text);
    apply(makeDiff(made.text, text, file));
    expect(execFileSync("cat", [path], { encoding: "utf8" })).toBe(text);
  }
});

test("lines of an older Sortie are written anew", async () => {
  const { text } = decodeScript(readScriptFile("mnist_plain.py"));
  const made = await instrument(text);
  const older = `import wandb_of_old  # sortie-wandb\n${made.text.replace("_sortie_log({  #", "_sortie_eval({  #")}`;
  const again = await instrument(older);
  expect(again).toMatchObject({ text: made.text, isChanged: true });
  expect(again.diff).toContain("-import wandb_of_old  # sortie-wandb\n");
});

test.each([
  ["", "\n", "a byte order mark and no import", "\uFEFF"],
  ["", "", "no line end at the end", ""],
  ["", "\r\n", "line ends of Windows", ""],
  ["    ", "\n", "a comment after the last line", "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n"],
])("a script keeps what it is, case %#: %s%j %s", async (_, end, __, start) => {
  const eol = end === "\r\n" ? "\r\n" : "\n";
  const text = start + ["x = 1", "for batch in loader:", "    loss.backward()", "    # done"].join(eol) + end;
  const bytes = Buffer.from(text);
  const { outcome } = await instrumentBytes(bytes, "a.py");
  if ("refused" in outcome) throw new Error(outcome.refused);
  expect(restoreBytes(outcome.bytes).equals(bytes)).toBe(true);
  expect(outcome.text.startsWith(start)).toBe(true);
  expect(outcome.text.endsWith(`_sortie_end()  # sortie-wandb${end}`)).toBe(true);
  if (eol === "\r\n") expect(outcome.text).not.toMatch(/[^\r]\n/);
});

test.each([
  ["for x in d: loss.backward()\n", "shares its line", 1],
  ["def f(x):\n    loss.backward(); return loss\n\nfor x in d: f(x)\n", "shares its line", 2],
  ["import lightning as L\nt = L.Trainer(); t.fit(m)\n", "shares its line", 2],
  [
    "@jax.jit\ndef f(d):\n    for x in d:\n        loss.backward()\n\nf(d)\n",
    "compiled as a whole (`@jax.jit`)",
    2,
  ],
  ["import torch\nmodel.fit(x)\n", "no training loop", 1],
  ["from lib import train\ntrain()\n", "`from lib import train`", 1],
  ["for x in d:\n    f(x).backward()\n", "nothing in it has the name", 1],
  ["import lightning as L\nL.Trainer().fit(m)\n", "not kept by a name", 1],
])("%j is refused", async (text, reason, line) => {
  const made = instrumentScript(text, await readScript(text));
  expect(made).toEqual({ refused: expect.stringContaining(reason), line });
});

test("what is promised and not found is said", async () => {
  const made = await instrument("for x in d:\n    loss.backward()\n");
  expect(made.metrics).toEqual([{ key: "train/loss", text: "loss" }]);
  expect(made.missing).toEqual([
    "train/lr",
    "eval/loss",
    "eval/ppl",
    "eval/accuracy",
    "gpu/memory_used",
    "speed/samples_per_sec",
  ]);
});

test("a script without loops of its own in a function that only reads arguments is not ended by it", async () => {
  const made = await instrument(
    "def setup():\n    global args\n    args = p.parse_args()\n\nsetup()\nfor x in d:\n    loss.backward()\n",
  );
  expect(made.text).toContain("    args = p.parse_args()\n    _sortie_start(args)  # sortie-wandb\n");
  expect(made.text).not.toContain("@_sortie_finish");
});

test.each([
  ["for x in d:\n    (a_loss +\n     b_loss).backward()\n", "lambda: a_loss + b_loss,"],
  [
    "for x in d:\n    loss.backward()\n    w.add_scalar('Loss/\"x\\\\', acc, 1)\n",
    '"Loss/_x__": lambda: acc,',
  ],
  ["import os; x = [\n    1,\n]\nfor x in d:\n    loss.backward()\n", "import os; x = [\n    1,\n]\nimport"],
  [
    "def train(d):\n    for x in d:\n        loss.backward()\n\nx = [\n    1,\n]; train(x)\n",
    "  # sortie-wandb\nx = [\n    1,\n]; train(x)\n",
  ],
  [
    "def main():\n    for x in d:\n        loss.backward()\nmain()\n",
    '        })  # sortie-wandb\nif __name__ == "__main__":  # sortie-wandb\n    _sortie_start({})  # sortie-wandb\nmain()\n',
  ],
])("what is written into %j stands on lines of its own", async (text, written) => {
  const made = await instrument(text);
  expect(made.text).toContain(written);
  expect(await parsePython(made.text, findSyntaxProblem)).toBeNull();
  expect(removeInstrumentation(made.text)).toBe(text);
});

test.each([
  [
    "match",
    "    match x:\n        case 1:\n            loss.backward()\n        case _:\n            loss.backward()\n",
  ],
  ["one line", "    loss.backward()\n    if x: val_acc = evaluate(x)\n"],
])("what has no place of its own is left out or logged around it: %s", async (_, step) => {
  const made = await instrument(`for x in d:\n${step}`);
  expect(made.text).toContain("\n    _sortie_step({  # sortie-wandb\n");
  expect(made.text).not.toContain("_sortie_log({  #");
});

test("a step with a pass in each branch is logged after all of them", async () => {
  const branches = "    if amp:\n        scaler.scale(loss).backward()\n    else:\n        loss.backward()\n";
  const made = await instrument(`for x in d:\n    loss = f(x)\n${branches}`);
  expect(made.text).toContain("        loss.backward()\n    _sortie_step({  # sortie-wandb\n");
});

test("a run starts before the line that makes the arguments and trains", async () => {
  const main = "def main():\n    args = p.parse_args(); train(args)\n";
  const made = await instrument(
    `def train(args):\n    for x in d:\n        loss.backward()\n\n${main}\nmain()\n`,
  );
  expect(made.text).toContain("    _sortie_start({})  # sortie-wandb\nmain()\n");
});

test("whatever is done to a script, it is read, still compiles, and comes back as it was", async () => {
  const random = makeRandom(9);
  const below = (count: number) => Math.floor(random() * count);
  const pairs: string[][] = [];
  const files = listScripts().filter((file) => file.endsWith(".py"));
  for (let round = 0; round < 150; round++) {
    const { text } = decodeScript(readScriptFile(files[below(files.length)] ?? ""));
    const lines = text.split("\n");
    for (let change = 0; change < 3; change++) {
      const at = below(lines.length);
      const other = lines[below(lines.length)] ?? "";
      lines.splice(at, below(3), ...(below(2) === 1 ? [other] : []));
    }
    const changed = lines.join("\n");
    const made = instrumentScript(changed, await readScript(changed));
    if (!("text" in made)) continue;
    expect(removeInstrumentation(made.text)).toBe(changed);
    pairs.push([changed, made.text]);
  }
  expect(pairs.length).toBeGreaterThan(50);
  expect(
    execFileSync(PYTHON, ["-W", "ignore", "-c", COMPILE], { input: JSON.stringify(pairs), encoding: "utf8" }),
  ).toBe("");
});

async function instrument(text: string, file?: string) {
  const made = instrumentScript(text, await readScript(text), file);
  if ("refused" in made) throw new Error(made.refused);
  return made;
}

function apply(diff: string): void {
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder(), input: diff });
}
