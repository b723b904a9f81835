import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitProject } from "../../../test/support/git-project.ts";
import { planSend, type SendPlan, type SendScope } from "./plan-send.ts";

const { temp, folder, runner, makeEnv, git, write, makeRepository } = useGitProject();

const plan = (scope: Partial<SendScope> = {}): Promise<SendPlan> =>
  planSend(runner, {
    ...{ source: folder(), results: [], include: [], exclude: [], copies: [], env: scope.env ?? makeEnv() },
    ...scope,
  });

const listSent = ({ files }: SendPlan) => files.map(({ path }) => path.toString());
const listReasons = ({ leftOut }: SendPlan) =>
  Object.fromEntries(leftOut.listed.map(({ path, reason }) => [path, reason]));

/** A file of that size without content on disk. */
function makeBigFile(path: string, bytes: number) {
  write({ [path]: "" });
  truncateSync(join(folder(), path), bytes);
}

/** What git itself says that it tracks, or would, below a folder of the project. */
async function listByGit(source: string, inner: string): Promise<string[]> {
  const options = ["-z", "-co", "--exclude-standard"];
  const place = { cwd: join(source, inner), env: makeEnv(), timeoutMs: 20_000 };
  const { stdout } = await runner.run(["git", "ls-files", ...options], place);
  return stdout
    .split("\0")
    .filter((path) => path !== "" && !path.endsWith("/"))
    .map((path) => inner + path);
}

const KEY = "0123456789abcdef0123456789abcdef01234567";

const TREE = {
  "pkg/sub/mod.py": "1\n",
  "pkg/__init__.py": "",
  "configs/a.yaml": "lr: 1\n",
  "notes.md": "# Notes\n",
  "data/train.csv": "1,2\n",
  "wandb/run-1/files/x.json": "{}",
  ".env": "TOKEN=1\n",
  "sub/.env.local": "TOKEN=1\n",
  "pkg/__pycache__/mod.cpython-311.pyc": "x",
  ".venv/pyvenv.cfg": "",
  "environment/pyvenv.cfg": "",
  "environment/lib/a.py": "1\n",
  "results/metrics.json": "{}",
  "scripts/train.sh": `export WANDB_API_KEY=${KEY}\n`,
};

const CODE = ["configs/a.yaml", "notes.md", "pkg/__init__.py", "pkg/sub/mod.py"];
const REASONS = {
  ".env": "secret",
  "sub/.env.local": "secret",
  "scripts/train.sh": "wandb_key",
  "big/last.pt": "checkpoint",
};

describe("L30 code and configuration are sent, and nothing else", () => {
  it("in git, what is left out with its size and reason, though nothing is ignored", async () => {
    await makeRepository({ "pkg/sub/mod.py": "1\n" });
    write(TREE);
    makeBigFile("big/last.pt", 2_000_000_000_000);
    makeBigFile("big/frames", 50_000_001);
    const sent = await plan({ results: ["results"] });
    expect(sent.origin).toBe("git");
    expect(listSent(sent)).toEqual(CODE);
    expect(listReasons(sent)).toMatchObject({
      ...REASONS,
      ...{ "big/frames": "big", "data/": "data", "results/metrics.json": "result" },
      ...{ "wandb/run-1/files/x.json": "generated", "environment/lib/a.py": "generated" },
      ".git/": "version",
    });
    expect(sent.leftOut.listed).toContainEqual({
      ...{ path: "big/last.pt", files: 1, bytes: 2_000_000_000_000, reason: "checkpoint", exact: true },
    });
    expect(sent.bytes).toBe(16);
  });

  it("outside git, whole folders at a time", async () => {
    write({ ...TREE, "old/.hg/store": "x" });
    makeBigFile("big/last.pt", 2_000_000_000_000);
    const sent = await plan({ results: ["results"] });
    expect(sent.origin).toBe("folder");
    expect(listSent(sent)).toEqual(CODE);
    expect(listReasons(sent)).toMatchObject({
      ...REASONS,
      ...{ "data/": "data", "results/": "result", ".venv/": "generated", "environment/": "generated" },
      ...{ "pkg/__pycache__/": "generated", "old/.hg/": "version" },
    });
    expect(sent.leftOut.listed).toContainEqual({
      ...{ path: "data/", files: 1, bytes: 4, reason: "data", exact: true },
    });
  });
});

describe("L32 the files are git's own", () => {
  it("with nested rules, negation, odd names, inner repositories and a project in a larger one", async () => {
    await makeRepository({
      "project/.gitignore": "data/*\n*.tmp\n/ignored.py\n",
      "project/src/p/data/.gitignore": "*\n!__init__.py\n!.gitignore\n",
      "project/src/p/.gitignore": "!keep.tmp\n",
      "project/a.py": "1\n",
      "project/gone.py": "1\n",
      "project/scratch.tmp": "1\n",
      "outer.py": "1\n",
    });
    const source = join(folder(), "project");
    write({
      ...{
        "project/src/p/data/__init__.py": "",
        "project/src/p/data/no.py": "",
        "project/src/p/keep.tmp": "1",
      },
      ...{ "project/ignored.py": "1", "project/data/x.py": "1", "project/new.py": "1" },
      ...{ "project/a\nnew\\line.py": "1", 'project/"quoted" ü.py': "1", "project/ -x.py": "1" },
    });
    writeFileSync(
      Buffer.concat([Buffer.from(`${source}/latin-`), Buffer.from([0xe9, 0x2e, 0x70, 0x79])]),
      "1",
    );
    await makeRepository({ "lib.py": "1\n", ".gitignore": "*.log\n" }, join(source, "third/lib"));
    write({ "project/third/lib/x.log": "1", "project/third/lib/new.py": "1" });
    await git(["rm", "-q", "project/gone.py"]);
    await git(["add", "-f", "project/ignored.py"]);

    const sent = await plan({ source });
    const lists = await Promise.all(["", "third/lib/"].map((inner) => listByGit(source, inner)));
    const wanted = lists.flat();
    expect(listSent(sent).sort()).toEqual(wanted.sort());
    expect(wanted).toHaveLength(15);
    expect(sent.files.some(({ path }) => path.includes(Buffer.from([0x2d, 0xe9, 0x2e])))).toBe(true);
    expect(listReasons(sent)).toMatchObject({ "data/": "data", "src/p/data/no.py": "ignored" });
  });

  it("with submodules, and a word on one that is not checked out", async () => {
    await makeRepository({ "m.py": "1\n" }, join(temp(), "module"));
    await makeRepository({ "a.py": "1\n" });
    await git(["submodule", "--quiet", "add", join(temp(), "module"), "sub"]);
    await git(["submodule", "--quiet", "add", join(temp(), "module"), "empty"]);
    await git(["submodule", "--quiet", "deinit", "-f", "empty"]);
    write({ "sub/new.py": "1" });
    const sent = await plan();
    expect(listSent(sent)).toEqual([".gitmodules", "a.py", "sub/m.py", "sub/new.py"]);
    expect(sent.notes).toEqual(["empty/ is a repository whose files are not here: nothing of it is sent"]);
  });
});

describe("what git tracks", () => {
  it("is sent also from folders of data where it is code, and as a checkpoint where it is small", async () => {
    await makeRepository({
      ...{ "data/load.py": "1", "data/words.txt": "1", "logs/conf.yaml": "1", "results/readme": "1" },
      ...{ "tests/small.npy": "1", "wandb/run-1/x.py": "1", "pkg/data/words.txt": "1" },
    });
    write({ "data/new.py": "1", "tests/new.npy": "1" });
    makeBigFile("tests/large.npy", 1_000_000);
    await git(["add", "tests/large.npy"]);
    const sent = await plan({ results: ["results"] });
    expect(listSent(sent)).toEqual([
      ...["data/load.py", "logs/conf.yaml", "pkg/data/words.txt", "results/readme", "tests/small.npy"],
      "wandb/run-1/x.py",
    ]);
    expect(listReasons(sent)).toMatchObject({
      ...{ "data/": "data", "data/words.txt": "data" },
      ...{ "tests/new.npy": "checkpoint", "tests/large.npy": "checkpoint" },
    });
    // The untracked data/new.py alone: what git tracks is counted by itself.
    expect(sent.leftOut.listed.find(({ path }) => path === "data/")).toMatchObject({ files: 1 });
  });

  it("is sent once while a merge is not finished, and not from behind a link", async () => {
    await makeRepository({ "a.py": "1\n", "b/c.py": "1\n" });
    await git(["checkout", "-q", "-b", "other"]);
    write({ "a.py": "2\n" });
    await git(["commit", "-qam", "2"]);
    await git(["checkout", "-q", "main"]);
    write({ "a.py": "3\n" });
    await git(["commit", "-qam", "3"]);
    await git(["merge", "other"]).catch(() => undefined); // the conflict is what is wanted
    await runner.run(["mv", join(folder(), "b"), join(folder(), "d")], { timeoutMs: 5_000 });
    symlinkSync("d", join(folder(), "b"));
    expect(listSent(await plan())).toEqual(["a.py", "b", "d/c.py"]);
  });
});

describe("what was asked for", () => {
  const ignored = { ".gitignore": "conf/local.yaml\ndata/\n*.bin\n", "a.py": "1" };

  it("is sent by sync_include although git or a rule would leave it out, but for secrets; sync_exclude wins", async () => {
    await makeRepository(ignored);
    write({ "conf/local.yaml": "1", "conf/.env": "X=1", "data/small/a.csv": "1", "data/big.csv": "12345" });
    write({
      "data/small/b.csv": "1",
      "m.bin": "1",
      "b.py": "1",
      "pkg/c.py": "1",
      ".aris/compute/box.md": "1",
    });
    const sent = await plan({
      include: ["conf", "data/small", "./m.*", join(folder(), "data/no*")],
      exclude: ["b.py", "**/b.csv", "pkg"],
    });
    expect(listSent(sent)).toEqual([".gitignore", "a.py", "conf/local.yaml", "data/small/a.csv", "m.bin"]);
    expect(listReasons(sent)).toMatchObject({
      ...{
        "conf/.env": "secret",
        "b.py": "excluded",
        "data/small/b.csv": "excluded",
        "pkg/c.py": "excluded",
        ".aris/compute/box.md": "ledger",
      },
      "data/": "data",
    });
    expect(sent.leftOut.listed.find(({ path }) => path === "data/")).toMatchObject({ files: 1, bytes: 5 });
    await expect(plan({ include: ["../x"] })).rejects.toMatchObject({ code: "sync_pattern_outside" });
  });

  it("is sent by --copy: all in a folder but secrets, and a secret that is named itself", async () => {
    await makeRepository(ignored);
    write({
      "data/raw/a.bin": "1",
      "data/raw/.env": "X=1",
      "data/raw/lib/.git/HEAD": "x",
      ".env": "X=1",
      "m.bin": "1",
    });
    mkdirSync(join(folder(), "run"));
    const scope = { folder: join(folder(), "run"), exclude: ["data"] };
    const sent = await plan({ ...scope, copies: ["../data/raw", join(folder(), ".env"), "../m.bin"] });
    expect(listSent(sent)).toEqual([
      ".env",
      ".gitignore",
      "a.py",
      "data/raw/a.bin",
      "data/raw/lib/.git/HEAD",
      "m.bin",
    ]);
    expect(listReasons(sent)).toMatchObject({ "data/raw/.env": "secret" });
    symlinkSync(temp(), join(folder(), "out"));
    await expect(plan({ copies: ["none"] })).rejects.toMatchObject({ code: "sync_copy_missing" });
    await expect(plan({ copies: [".."] })).rejects.toMatchObject({ code: "sync_copy_outside" });
    await expect(plan({ copies: ["out"] })).rejects.toMatchObject({ code: "sync_copy_outside" });
  });
});

describe("what cannot be sent", () => {
  /** As somebody whom the modes of files hold back. */
  async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
    if (process.getuid?.() !== 0) return work();
    process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
    }
  }

  it("is an error that names it, where it would be sent", async () => {
    const env = makeEnv();
    write({ "a.py": "1", "closed.py": "1", "shut/b.py": "1", "data/c.csv": "1" });
    for (const path of [temp(), folder()]) chmodSync(path, 0o755);
    chmodSync(join(folder(), "closed.py"), 0);
    await expect(asNobody(() => plan({ env }))).rejects.toMatchObject({
      code: "sync_unreadable",
      details: { path: "closed.py" },
    });
    for (const path of ["shut", "data"]) chmodSync(join(folder(), path), 0);
    const exclude = ["closed.py"];
    await expect(asNobody(() => plan({ env, exclude }))).rejects.toMatchObject({
      details: { path: "shut/" },
    });
    const sent = await asNobody(() => plan({ env, exclude: [...exclude, "shut"] }));
    expect(listSent(sent)).toEqual(["a.py"]);
    expect(sent.leftOut.exact).toBe(false);
    chmodSync(join(folder(), "shut"), 0o700);
    chmodSync(join(folder(), "data"), 0o700);
  });

  it("is an error in git too, which goes on without what is closed to it", async () => {
    await makeRepository({ "project/a.py": "1", ".gitignore": "ignored/\n" });
    write({ "project/shut/b.py": "1", "project/ignored/b.py": "1", "outside/b.py": "1" });
    const scope = { source: join(folder(), "project"), env: makeEnv("[safe]\ndirectory = *\n") };
    for (const path of [temp(), folder()]) chmodSync(path, 0o755);
    const closed = ["project/shut", "project/ignored", "outside"].map((path) => join(folder(), path));
    for (const path of closed) chmodSync(path, 0);
    await expect(asNobody(() => plan(scope))).rejects.toMatchObject({
      ...{ code: "sync_unreadable", details: { path: "shut/" } },
    });
    const sent = await asNobody(() => plan({ ...scope, exclude: ["shut"] }));
    expect(listSent(sent)).toEqual(["a.py"]);
    expect(listReasons(sent)).toEqual({ "shut/": "excluded", "ignored/": "ignored" });
    for (const path of closed) chmodSync(path, 0o700);
  });

  it("is left out where it is neither a file nor a link; a file that goes meanwhile is no error", async () => {
    await makeRepository({ "a.py": "1", "gone.py": "1" });
    rmSync(join(folder(), "gone.py"));
    await runner.run(["mkfifo", join(folder(), "a.pipe")], { timeoutMs: 5_000 });
    write({ "b/.x": "1" });
    const sent = await plan({ copies: ["."], include: ["a.pipe"] });
    expect(listSent(sent).filter((path) => !path.startsWith(".git/"))).toEqual(["a.py", "b/.x"]);
    expect(listReasons(await plan({ copies: ["a.pipe"] }))).toMatchObject({ ".git/": "version" });
  });

  it("is what lies in a repository that git does not want to read", async () => {
    await makeRepository({ "a.py": "1" });
    writeFileSync(join(folder(), ".git/config"), "[core\n");
    await expect(plan()).rejects.toMatchObject({ code: "git_failed" });
  });
});
