import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashFolder, useGitProject } from "../../test/support/git-project.ts";
import { loadProvenance } from "./provenance.ts";
import type { GitProvenance } from "./record-git.ts";
import { restoreTree } from "./restore-tree.ts";

const { temp, folder, runner, makeEnv, git, write, makeRepository, makeExpectedTree } = useGitProject();

const objectsDir = () => join(temp(), `kept: "objects"`);

async function record(options: Partial<Parameters<typeof loadProvenance>[1]> = {}): Promise<GitProvenance> {
  const scope = { folder: folder(), objectsDir: objectsDir(), outputs: [], env: makeEnv(), ...options };
  const provenance = await loadProvenance(runner, scope);
  if (provenance.kind !== "git") throw new Error(JSON.stringify(provenance));
  return provenance;
}

/** Restores the tree and has a new repository make its own tree of the files. */
async function rebuild({ root, tree, repositories }: GitProvenance) {
  const into = join(temp(), "rebuilt");
  await restoreTree(runner, { root, objectsDir: objectsDir(), tree, into, repositories, env: makeEnv() });
  await git(["init", "--quiet"], { cwd: into });
  await git(["add", "-A"], { cwd: into });
  return git(["write-tree"], { cwd: into });
}

const HOSTILE_SETTINGS = `
[diff]
noprefix = true
external = false
mnemonicPrefix = true
renames = copies
ignoreSubmodules = all
[color]
ui = always
status = always
[status]
short = true
branch = false
showUntrackedFiles = no
[core]
quotePath = false
hooksPath = hooks of the user
fsmonitor = false-program
safecrlf = true
splitIndex = true
[commit]
gpgSign = true
`;

async function makeEveryKindOfChange() {
  await makeRepository({
    "kept.py": "kept\n",
    "staged.py": "old\n",
    "unstaged.py": "old\n",
    "both.py": "old\n",
    "deleted.py": "gone\n",
    "deleted and staged.py": "gone\n",
    "removed from the index.py": "still here\n",
    "mode.sh": "#!/bin/sh\n",
    "file then folder": "a file\n",
    "folder then file/a": "a\n",
    "folder then link/a": "a\n",
    "src/p/data/__init__.py": "nested\n",
    ".gitignore": "data/*\n!src/p/data/\nignored/\n",
  });
  write({
    "staged.py": "new\n",
    "both.py": "staged\n",
    "data/x": "ignored",
    "ignored/y": "ignored",
    "staged binary": new Uint8Array([0, 1, 255, 254]),
  });
  await git(["add", "staged.py", "both.py", "staged binary"]);
  await git(["rm", "--quiet", "deleted and staged.py"]);
  await git(["rm", "--quiet", "--cached", "removed from the index.py"]);
  for (const path of ["deleted.py", "file then folder", "folder then file", "folder then link"]) {
    rmSync(join(folder(), path), { recursive: true });
  }
  write({
    "unstaged.py": "new\n",
    "both.py": "changed again\n",
    "untracked/binary.bin": new Uint8Array(Array.from({ length: 1000 }, (_, index) => index % 256)),
    "same content as a committed file.py": "kept\n",
    "file then folder/a": "now a folder\n",
    "folder then file": "now a file\n",
    "empty.py": "",
  });
  chmodSync(join(folder(), "mode.sh"), 0o755);
  symlinkSync("kept.py", join(folder(), "link"));
  symlinkSync("src/p/data", join(folder(), "folder then link"));
  await git(["add", "--intent-to-add", "empty.py"]);
}

describe("L34 code is recorded as it really lies there", () => {
  it("L34 staged, unstaged, untracked, deleted and binary files, modes and links are rebuilt to the same hash", async () => {
    await makeEveryKindOfChange();
    const hooks = join(folder(), "ignored", "hooks of the user");
    mkdirSync(hooks);
    writeFileSync(join(hooks, "post-index-change"), `#!/bin/sh\ntouch '${hooks}/ran'\n`, { mode: 0o755 });
    const env = makeEnv(`${HOSTILE_SETTINGS}[core]\nhooksPath = ignored/hooks of the user\n`);
    const before = hashFolder(join(folder(), ".git"));
    const provenance = await record({
      env: { ...env, GIT_EXTERNAL_DIFF: "false", GIT_INDEX_FILE: "/nowhere" },
    });

    expect(hashFolder(join(folder(), ".git"))).toBe(before);
    expect(readdirSync(hooks)).toEqual(["post-index-change"]);
    expect(provenance.tree).toBe(await makeExpectedTree());
    expect(provenance).toMatchObject({
      commit: await git(["rev-parse", "HEAD"]),
      branch: "main",
      root: realpathSync(folder()),
      leftOut: [],
      repositories: [],
    });
    expect(await rebuild(provenance)).toBe(provenance.tree);
    expect(readFileSync(join(temp(), "rebuilt", "both.py"), "utf8")).toBe("changed again\n");
    expect(statSync(join(temp(), "rebuilt", "mode.sh")).mode & 0o111).toBe(0o111);
  });

  it("L34 the record outlives what was only staged", async () => {
    await makeRepository({ "a.py": "1\n" });
    write({ "sub/staged.py": "only in the index\n", "a.py": "2\n" });
    symlinkSync("a.py", join(folder(), "sub", "link"));
    // Long enough ago that git trusts the times and does not read the files again.
    for (const path of ["a.py", "sub/staged.py", "sub/link"]) lutimesSync(join(folder(), path), 1e9, 1e9);
    // A commit that is taken back leaves an index that knows its trees.
    await git(["add", "-A"]);
    await git(["commit", "--quiet", "-m", "second"]);
    await git(["reset", "--soft", "HEAD~1"]);
    const provenance = await record();
    await git(["reset", "--hard", "--quiet"]);
    await git(["reflog", "expire", "--expire=now", "--all"]);
    await git(["gc", "--quiet", "--prune=now"]);
    expect(await rebuild(provenance)).toBe(provenance.tree);
  });

  it("L34 a clean work tree has the tree of its commit, and nothing is copied", async () => {
    await makeRepository({ "a.py": "1\n" });
    const provenance = await record();
    expect(provenance).toMatchObject({ tree: await git(["rev-parse", "HEAD^{tree}"]), changes: 0 });
    expect(readdirSync(objectsDir())).toEqual([]);
    expect(await rebuild(provenance)).toBe(provenance.tree);
  });

  it("L34 a change in the very second of the last commit, of the same size, is seen", async () => {
    await makeRepository({ "a.py": "1\n" });
    const { mtime } = statSync(join(folder(), ".git", "index"));
    write({ "a.py": "2\n" });
    utimesSync(join(folder(), "a.py"), mtime, mtime);
    expect((await record()).tree).toBe(await makeExpectedTree());
  });

  it("L34 odd names: spaces, newlines, quotes, dashes, pathspec magic, bytes that are no UTF-8", async () => {
    await makeRepository({ "a.py": "1\n", ":(glob)**": "tracked\n", "-n": "tracked\n" });
    const names = [
      " lead",
      "trail ",
      "new\nline",
      "tab\t",
      '"quoted"',
      "-dash",
      ":(top)x",
      "*",
      "é",
      "\\back",
      "#",
    ];
    write(Object.fromEntries(names.map((name) => [`odd/${name}`, name])));
    write({ ":(glob)**": "changed\n", "-n": "changed\n" });
    writeFileSync(Buffer.concat([Buffer.from(`${folder()}/bad`), Buffer.from([0xff, 0xfe])]), "bytes");
    const provenance = await record();
    expect(provenance.tree).toBe(await makeExpectedTree());
    expect(await rebuild(provenance)).toBe(provenance.tree);
  });

  it("L34 line ends are converted as git add does", async () => {
    await makeRepository({ "kept-crlf.txt": "a\r\nb\r\n", "lf.txt": "a\nb\n" });
    write({ "kept-crlf.txt": "a\r\nc\r\n", "lf.txt": "a\r\nc\r\n", "new.txt": "x\r\n" });
    const env = makeEnv("[core]\nautocrlf = true\n");
    const before = hashFolder(join(folder(), ".git"));
    const provenance = await record({ env });
    expect(hashFolder(join(folder(), ".git"))).toBe(before);
    await git(["add", "-A"], { env });
    expect(provenance.tree).toBe(await git(["write-tree"]));
  });

  it("L34 an unfinished merge is recorded, and stays unfinished", async () => {
    await makeRepository({ "a.py": "1\n" });
    await git(["checkout", "--quiet", "-b", "other"]);
    write({ "a.py": "other\n" });
    await git(["commit", "--quiet", "-am", "other"]);
    await git(["checkout", "--quiet", "main"]);
    write({ "a.py": "main\n" });
    await git(["commit", "--quiet", "-am", "main"]);
    await git(["merge", "other"]).catch(() => undefined); // it ends with a conflict, as wanted
    expect((await record()).tree).toBe(await makeExpectedTree());
    expect(await git(["ls-files", "--unmerged"])).not.toBe("");
  });
});

describe("where a repository may lie", () => {
  it("has no commit yet, and no index", async () => {
    write({ "a.py": "1\n" });
    await git(["init", "--quiet"]);
    const provenance = await record();
    expect(provenance).toMatchObject({ commit: null, branch: "main", tree: await makeExpectedTree() });
    expect(await rebuild(provenance)).toBe(provenance.tree);
  });

  it("is a further work tree, with a detached head, seen from a folder below", async () => {
    await makeRepository({ "a.py": "1\n", "below/b.py": "1\n" });
    const other = join(temp(), "other tree");
    await git(["worktree", "add", "--quiet", "--detach", other]);
    writeFileSync(join(other, "below", "new.py"), "new\n");
    const before = hashFolder(join(folder(), ".git"));
    const provenance = await record({ folder: join(other, "below") });
    expect(hashFolder(join(folder(), ".git"))).toBe(before);
    expect(provenance).toMatchObject({ branch: null, root: realpathSync(other), changes: 1 });
    await git(["add", "-A"], { cwd: other });
    expect(provenance.tree).toBe(await git(["write-tree"], { cwd: other }));
  });

  it("is reached by a link, and its folder has a newline", async () => {
    const place = join(temp(), "new\nline");
    await makeRepository({ "a.py": "1\n", "below/b.py": "1\n" }, place);
    symlinkSync(join(place, "below"), join(temp(), "link"));
    expect(await record({ folder: join(temp(), "link") })).toMatchObject({ root: realpathSync(place) });
  });
});
