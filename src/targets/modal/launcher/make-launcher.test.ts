import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { makeGlobMatcher } from "../../../base/globs.ts";
import type { ModalWish } from "../modal-wish.ts";
import { makeLauncher } from "./make-launcher.ts";

const folder = useTempFolder();
const PYTHON = resolve(".venv/bin/python");
const SHELL_LIKE = ["it's", '"two"', "$HOME `id` \\n \\", "a\nb\tc\r", '"""', "{x}"];
const ODD = ["", " ", "-x", "--", ...SHELL_LIKE, "é 💡 \u2028 \u007f"];

const wish = (parts: Partial<ModalWish> = {}): ModalWish => ({
  ...{ runId: "r0123456789", command: ["python3", "train.py", ...ODD], codeDir: join(folder(), "code") },
  ...{ leftOut: ["data"], gpus: ["A100-80GB:2", "H100"], timeoutS: 3600, volume: "experiment-results" },
  ...{ secrets: ["wandb-secret"], image: { from: "requirements", file: "requirements.txt", base: null } },
  ...{ envNames: ["SEED"], results: ["results/"], ...parts },
});

/** Python beside the launcher, which is `launcher` to it; nothing may be dialled. Answers the last line, read. */
function runPython(launcher: string, lines: readonly string[]): unknown {
  writeFileSync(join(folder(), "launcher.py"), launcher);
  const program = [
    "import dataclasses, json, pathlib, socket, sys",
    "def refuse(*_): sys.exit('dialled')",
    "socket.socket.connect = refuse",
    "import launcher, modal",
    "assert isinstance(launcher.run, modal.Function) and isinstance(launcher.image, modal.Image)",
    "commits = []",
    "def run(name, **changes):",
    "    here = pathlib.Path.cwd()",
    "    changes = {'code': here / 'code', 'kept': here / name, 'grace_s': 5, **changes}",
    "    experiment = dataclasses.replace(launcher.EXPERIMENT, **changes)",
    "    return launcher.run_and_keep(experiment, lambda: commits.append(name))",
    ...lines,
  ].join("\n");
  const env = { PATH: process.env["PATH"], HOME: folder(), PYTHONDONTWRITEBYTECODE: "1", SEED: "7" };
  const options = { cwd: folder(), env, encoding: "utf8" } as const;
  const printed = execFileSync(PYTHON, ["-c", program], options);
  return JSON.parse(printed.trimEnd().split("\n").at(-1) as string);
}

const readText = (...names: string[]) => readFileSync(join(folder(), ...names), "utf8");
const readJson = (...names: string[]) => JSON.parse(readText(...names));
/** JSON as a literal of Python. */
const asPython = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value))})`;

function addCode(train: readonly string[]) {
  mkdirSync(join(folder(), "code", "results"), { recursive: true });
  writeFileSync(join(folder(), "code", "requirements.txt"), "numpy\n");
  writeFileSync(join(folder(), "code", "results", "old.txt"), "was here before");
  writeFileSync(join(folder(), "code", "train.py"), train.join("\n"));
}

test("is what the real modal package takes, and keeps every byte of the arguments and of what is made", () => {
  addCode([
    "import json, os, pathlib, sys",
    "print('said'); print('complained', file=sys.stderr)",
    "pathlib.Path('results/sub').mkdir()",
    "pathlib.Path('results/sub/argv.json').write_text(json.dumps(sys.argv[1:]))",
    "pathlib.Path(os.environ['SORTIE_RESULTS_DIR'], 'model.bin').write_bytes(bytes(range(256)))",
    "pathlib.Path('elsewhere').write_text('no result')",
    "sys.exit(3)",
  ]);
  const text = makeLauncher(wish());
  expect(text).toContain('gpu=["A100-80GB:2", "H100"],\n    timeout=3720,');
  expect(text).not.toContain("Mount");

  // A second time, as when Modal starts the function again: the command is not.
  expect(runPython(text, ["print(json.dumps([run('kept'), run('kept'), commits]))"])).toEqual([
    ...[3, 3],
    ["kept"],
  ]);

  const ending = { runId: "r0123456789", exitCode: 3, signal: null, reason: "exited", starts: 1 };
  expect(readJson("kept", "exit.json")).toMatchObject(ending);
  expect(readJson("kept", "code/results/sub/argv.json")).toEqual(ODD);
  expect(readText("kept", "log").split("\n").sort()).toEqual(["", "complained", "said"]);
  const { files } = readJson("kept", "manifest.json");
  expect(files.map(({ path }: { path: string }) => path)).toEqual([
    ...["code/results/sub/argv.json", "exit.json", "log", "results/model.bin", "starts"],
  ]);
  for (const { path, bytes, sha256 } of files) {
    const content = readFileSync(join(folder(), "kept", path));
    expect([bytes, sha256]).toEqual([content.length, createHash("sha256").update(content).digest("hex")]);
  }
});

test("says how a command ended, and keeps the files that the same patterns mean at home", () => {
  addCode([
    "import pathlib, signal, sys, time",
    "def save(*_):",
    "    pathlib.Path('results/saved').write_text('yes')",
    "    sys.exit(9)",
    "signal.signal(signal.SIGTERM, save)",
    "time.sleep(60)",
  ]);
  const globs = [
    ...["results/", "./out//*.json", "out/**/*.pt", "run?/log", "{logs,plots}/*", "[ab]x", "[^a]x"],
    ...[".", "a\\*b", "é,{", "a+b", "**/x"],
  ];
  const paths = [
    ...["results/a/b", "results", "results2", "out/a.json", "out/s/a.json", "out/c.pt", "out/a/b/c.pt"],
    ...["run1/log", "plots/a", "bx", "ax", "cx", "a*b", "aab", "é,{", "a+b", "aab/x", "logs/a/new\nline"],
  ];
  const endings = [
    [["python3", "train.py"], 9, "time_limit"],
    [["sh", "-c", "kill -9 $$"], 137, "signal"],
    [["no-such-program-here"], 127, "never_started"],
    [["sh", "-c", "sleep 60 & exit 0"], 0, "exited"],
  ] as const;
  const least = { gpus: [], volume: null, secrets: [], envNames: [] };
  const image = { from: "plain", base: "pytorch/pytorch:2.4.0" } as const;

  const answer = runPython(makeLauncher(wish({ ...least, image, timeoutS: 1 })), [
    `globs, paths, commands = ${asPython([globs, paths, endings.map(([argv]) => argv)])}`,
    "codes = [run(f'kept{index}', command=argv) for index, argv in enumerate(commands)]",
    "match = [[bool(launcher.make_pattern(glob).fullmatch(path)) for path in paths] for glob in globs]",
    "print(json.dumps({'codes': codes, 'match': match}))",
  ]) as { codes: number[]; match: boolean[][] };
  const reasons = endings.map((_, index) => readJson(`kept${index}`, "exit.json").reason);
  expect(answer.codes.map((code, index) => [code, reasons[index]])).toEqual(
    endings.map(([, ...ending]) => ending),
  );
  expect(readText("kept0", "code/results/saved")).toBe("yes");
  expect(answer.match).toEqual(globs.map((glob) => paths.map((path) => makeGlobMatcher([glob])(path))));
});
