import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { makeFakeGpus } from "../support/fake-gpus.ts";
import { canMount, useMounts } from "../support/mounts.ts";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);
const mounts = useMounts();
const codeDir = () => join(stage.temp(), "host code");
const git = async (...args: string[]) => {
  const settings = ["user.name=T", "user.email=t@example.org", "init.defaultBranch=main"];
  const outcome = await stage.runner.run(["git", ...settings.flatMap((one) => ["-c", one]), ...args], {
    ...{ cwd: stage.project(), env: stage.makeEnv(), timeoutMs: 20_000 },
  });
  if (outcome.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${outcome.stderr}`);
  return outcome.stdout;
};

/** Every file there, below the folder. */
const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !lstatSync(join(folder, name)).isDirectory())
    .sort();

describe("the code on the host", () => {
  it("L30 is the code and the configuration; the plan lists it with sizes, and what stays at home", async () => {
    stage.write({
      "pkg/sub/mod.py": "1",
      "configs/a.yaml": "lr: 1",
      "data/big.bin": Buffer.alloc(3_000_000),
      "wandb/run-20261130_040000-x/files/output.log": "x",
      ".env": "KEY=x",
      "model.ckpt": Buffer.alloc(2_000_000),
      "train.py": "2",
    });
    stage.writeSection([`- Code dir: \`${codeDir()}\``]);
    await git("init", "--quiet");
    const { stdout, exitCode } = await stage.run(["run", "--gpus", "none", "--", "python3", "train.py"]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/send 4 files/);
    for (const words of [/data\/.*3.0 MB.*data/, /\.env.*secret/, /model\.ckpt.*2.0 MB.*checkpoint/, /wandb/])
      expect(stdout).toMatch(words);
    await stage.launch(["python3", "train.py"]);
    expect(listFiles(codeDir())).toEqual(["AGENTS.md", "configs/a.yaml", "pkg/sub/mod.py", "train.py"]);
  });

  it("L32 is what git says it is, and L33 what else is there stays", async () => {
    stage.write({
      ".gitignore": "data/*\n*.log\n!keep.log\n",
      "src/p/data/__init__.py": "x",
      "src/p/.gitignore": "!data\n",
      "data/huge.csv": "x",
      "keep.log": "kept",
      "drop.log": "dropped",
      'größe \n"x".py': "y",
    });
    stage.writeSection([`- Code dir: \`${codeDir()}\``]);
    await git("init", "--quiet");
    const theirs = {
      "results/old.txt": "r",
      "data/set.csv": "d",
      "checkpoints/last.pt": "c",
      "extra.py": "e",
    };
    stage.write(theirs, codeDir());
    await stage.launch(["true"]);
    const listed = (await git("ls-files", "-coz", "--exclude-standard")).split("\0").filter(Boolean);
    expect(listFiles(codeDir())).toEqual([...listed, ...Object.keys(theirs)].sort());
    for (const [path, content] of Object.entries(theirs))
      expect(readFileSync(join(codeDir(), path), "utf8")).toBe(content);
  });
});

it("a file that was changed within its size and second since it was sent is sent all the same", async () => {
  const file = join(stage.project(), "train.sh");
  const at = new Date(2026, 1, 1);
  const write = (text: string) => {
    writeFileSync(file, text);
    utimesSync(file, at, at);
  };
  stage.writeSection([`- Code dir: \`${codeDir()}\``]);
  write("echo 1");
  await stage.launch(["sh", "train.sh"]);
  write("echo 2");
  const { id } = await stage.launch(["sh", "train.sh"]);
  const { resultsFolder } = await stage.finish(id);
  expect(readFileSync(join(resultsFolder, "log"), "utf8")).toBe("2\n");
});

describe("a frozen copy", () => {
  const READ_TWICE = `mkdir -p results; cat part.py >results/first; : >"$1"; while [ ! -e "$2" ]; do sleep 0.05; done; cat part.py >results/second; cat data/set >results/data`;

  it("is what a run reads, also after others have sent newer code; its results come home", async () => {
    stage.write({ "part.py": "old" });
    stage.write({ "data/set": "the data" }, codeDir());
    stage.writeSection([`- Code dir: \`${codeDir()}\``]);
    const [up, go] = ["up", "go"].map((name) => join(stage.temp(), name)) as [string, string];
    const frozen = await stage.launch(["sh", "-c", READ_TWICE, "sh", up, go], ["--freeze"]);
    await waitFor(() => readdirSync(stage.temp()).includes("up"), { what: "the first look" });
    stage.write({ "part.py": "new" });
    await stage.launch(["true"]);
    expect(readFileSync(join(codeDir(), "part.py"), "utf8")).toBe("new");
    writeFileSync(go, "");
    const shown = await stage.finish(frozen.id);
    const read = (name: string) => readFileSync(join(shown.resultsFolder, "results", name), "utf8");
    expect([read("first"), read("second"), read("data")]).toEqual(["old", "old", "the data"]);
    const copy = join(shown.jobFolder, "code");
    expect(readlinkSync(join(copy, "data"))).toBe(join(codeDir(), "data"));
    expect(readdirSync(codeDir())).not.toContain("results");
  });

  it("is made for a run that waits for a GPU: it starts with the code of when it was asked for", async () => {
    const gpus = makeFakeGpus(stage.temp(), { gpus: [{ memoryUsed: 9000 }] });
    const exports = Object.entries(gpus.env).map(([name, value]) => `export ${name}=${quoteShell(value)}\n`);
    writeFileSync(join(sshd().hostHome, ".bashrc"), exports.join(""));
    stage.write({ "part.py": "old" });
    mkdirSync(codeDir());
    stage.writeSection([`- Code dir: \`${codeDir()}\``]);
    const flags = ["--wait-gpu", "--detach", "--yes"];
    const { run } = await stage.ask([
      "run",
      ...flags,
      "--",
      "sh",
      "-c",
      "mkdir results; cat part.py >results/x",
    ]);
    expect(run).toMatchObject({ state: "waiting" });
    stage.write({ "part.py": "new" });
    await stage.launch(["true"]);
    gpus.changeGpu(0, { memoryUsed: 4 });
    const shown = await stage.finish(run.id);
    expect(readFileSync(join(shown.resultsFolder, "results", "x"), "utf8")).toBe("old");
  });
});

it.runIf(canMount())(
  "200,000 ignored files cost a moment; as code they are refused with the limit",
  async () => {
    const many = join(stage.project(), "set");
    mounts.mountSmall(many, 1024, 210_000);
    for (let number = 0; number <= 200_000; number += 1) writeFileSync(join(many, `${number}.py`), "");
    stage.write({ "train.py": "1", ".gitignore": "set/\n" });
    stage.writeSection([`- Code dir: \`${codeDir()}\``]);
    await git("init", "--quiet");
    const { stdout, exitCode } = await stage.run(["run", "--gpus", "none", "--", "true"]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/set\/: at least .*ignored by git/);
    stage.write({ ".gitignore": "" });
    const refused = await stage.ask(["run", "--gpus", "none", "--", "true"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "sync_too_much" } });
    expect(refused.error.message).toContain("200,000 files");
  },
);
