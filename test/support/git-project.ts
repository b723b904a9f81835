import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { useTempFolder } from "./temp-folder.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

interface GitOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A folder `project` for each test of the file, with real git that knows nothing of the person who runs the tests. */
export function useGitProject() {
  const temp = useTempFolder();
  const runner = makeLocalRunner();
  const folder = () => join(temp(), "project");

  /** An environment of its own; `settings` are the user's, as text of a git configuration. */
  const makeEnv = (settings = "") => {
    const config = join(temp(), `gitconfig ${createHash("sha256").update(settings).digest("hex")}`);
    const own = "[user]\nname = T\nemail = t@example.org\n[init]\ndefaultBranch = main\n";
    writeFileSync(config, `${own}[protocol "file"]\nallow = always\n${settings}`);
    return { PATH: process.env["PATH"], HOME: temp(), GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: "1" };
  };

  const git = async (args: readonly string[], { cwd = folder(), env = makeEnv() }: GitOptions = {}) => {
    const outcome = await runner.run(["git", ...args], { cwd, env, timeoutMs: 20_000 });
    if (outcome.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${outcome.stderr}`);
    return outcome.stdout.trim();
  };

  const makeRepository = async (files: Files, root = folder()) => {
    writeFiles(root, files);
    await git(["init", "--quiet"], { cwd: root });
    await git(["add", "-A"], { cwd: root });
    await git(["commit", "--quiet", "--allow-empty", "-m", "first"], { cwd: root });
  };

  /** What plain git makes of the work tree, in a copy of it, without some files or folders. */
  const makeExpectedTree = async (without: readonly string[] = []) => {
    const copy = join(temp(), "copy");
    rmSync(copy, { recursive: true, force: true });
    await runner.run(["cp", "-a", folder(), copy], { timeoutMs: 20_000 });
    for (const path of without) rmSync(join(copy, path), { recursive: true });
    await git(["add", "-A"], { cwd: copy });
    return git(["write-tree"], { cwd: copy });
  };

  const write = (files: Files) => writeFiles(folder(), files);
  return { temp, folder, runner, makeEnv, git, write, makeRepository, makeExpectedTree };
}

function writeFiles(root: string, files: Files) {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Everything under a folder in one hash: names, contents, modes and times. */
export function hashFolder(folder: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const stats = lstatSync(join(folder, entry), { bigint: true });
    hash.update(`${entry}\0${stats.mode}\0${stats.mtimeNs}\0`);
    if (stats.isFile()) hash.update(readFileSync(join(folder, entry)));
  }
  return hash.digest("hex");
}
