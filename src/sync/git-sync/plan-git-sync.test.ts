import { mkdirSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashFolder } from "../../../test/support/git-project.ts";
import { useGitRemote } from "../../../test/support/git-remote.ts";
import { type GitSyncScope, planGitSync } from "./plan-git-sync.ts";

const remote = useGitRemote();
const { temp, folder, bare, git, write, makeEnv, makePushed, makeRepository, makeExpectedTree, runner } =
  remote;

const plan = (scope: Partial<GitSyncScope> = {}) =>
  planGitSync(runner, { folder: folder(), env: makeEnv(), ...scope });

describe("planGitSync", () => {
  it("names every file, the tree, the commit and the push, and leaves both repositories as they were", async () => {
    await makePushed({ "train.py": "1", "old.py": "1", "pkg/é b.py": "1", ".gitignore": "data/\n" });
    write({ "train.py": "22", "staged.py": "s", "pkg/new.py": "333", "data/big": "not sent" });
    await git(["add", "staged.py"]);
    rmSync(join(folder(), "old.py"));
    const before = [hashFolder(join(folder(), ".git")), hashFolder(bare())];

    const made = await plan({ folder: join(folder(), "pkg") });
    expect([hashFolder(join(folder(), ".git")), hashFolder(bare())]).toEqual(before);
    const head = await git(["rev-parse", "HEAD"]);
    expect(made).toMatchObject({
      ...{ root: realpathSync(folder()), prefix: "pkg", head, remoteCommit: head, isPushNeeded: true },
      branch: { branch: "main", remote: "origin", remoteBranch: "main", url: bare(), pushUrls: [bare()] },
      commit: { message: "sync: experiment deployment", author: "T <t@example.org>" },
      unpushed: { count: 0, newest: [] },
      submodules: [],
    });
    expect(made.files.map(({ status, path, bytes }) => [status, path, bytes])).toEqual([
      ["deleted", "old.py", 0],
      ["added", "pkg/new.py", 3],
      ["added", "staged.py", 1],
      ["changed", "train.py", 2],
    ]);
    expect(made.tree).toBe(await makeExpectedTree());
  });

  it("plans no commit for a clean tree, and a push only of what is not pushed", async () => {
    await makePushed({ "train.py": "1" });
    expect(await plan()).toMatchObject({ commit: null, files: [], isPushNeeded: false });
    write({ "train.py": "2" });
    await git(["commit", "--quiet", "-am", "second"]);
    const made = await plan();
    expect(made).toMatchObject({ commit: null, isPushNeeded: true, unpushed: { count: 1 } });
    expect(made.unpushed.newest).toEqual([{ commit: made.head, subject: "second" }]);
  });

  it("plans the first commit of a repository, to a branch that the remote does not have", async () => {
    await makePushed({ a: "1" });
    const empty = join(temp(), "empty.git");
    await git(["init", "--quiet", "--bare", empty]);
    const clone = join(temp(), "clone");
    await git(["clone", "--quiet", empty, clone]);
    writeFileSync(join(clone, "a.py"), "1");
    expect(await plan({ folder: clone })).toMatchObject({
      ...{ head: null, remoteCommit: null, isPushNeeded: true },
      files: [{ path: "a.py", status: "added", bytes: 1 }],
    });
  });

  it("hides the password of a remote's URL", async () => {
    await makePushed({ a: "1" });
    await git(["remote", "set-url", "--push", "origin", "https://me:s3cret@host.example/r.git"]);
    expect(JSON.stringify(await plan())).not.toContain("s3cret");
    await git(["remote", "set-url", "origin", "https://me:s3cret@127.0.0.1:1/r.git"]);
    const fault = await plan().catch((reason: unknown) => reason);
    expect(fault).toMatchObject({ code: "git_remote_silent", retryable: true });
    expect(`${fault}${JSON.stringify(fault)}`).not.toContain("s3cret");
  });

  it("has the submodules pushed before", async () => {
    const inner = join(temp(), "inner.git");
    await makePushed({ a: "1" });
    await git(["clone", "--quiet", "--bare", bare(), inner]);
    await git(["submodule", "--quiet", "add", inner, "sub"]);
    expect(await plan()).toMatchObject({
      submodules: ["sub"],
      files: [{ path: ".gitmodules" }, { path: "sub" }],
    });
    const sub = join(folder(), "sub");
    write({ "sub/a": "2" });
    await expect(plan()).rejects.toThrow("sub is a submodule with changes that are not committed");
    await git(["commit", "--quiet", "-am", "x"], { cwd: sub });
    await expect(plan()).rejects.toThrow(/sub is a submodule whose commit \w+ is not pushed/);
    await git(["push", "--quiet"], { cwd: sub });
    expect(await plan()).toMatchObject({ submodules: ["sub"] });
  });
});

const KEY_LINE = `- wandb_api_key: ${"0a".repeat(20)}\n`;

type Case = readonly [code: string, make: () => unknown, scope?: () => Partial<GitSyncScope>];

describe("planGitSync refuses", () => {
  const cases: readonly Case[] = [
    ["git_detached", () => git(["checkout", "--quiet", "--detach"])],
    ["git_upstream_missing", () => git(["branch", "--unset-upstream"])],
    ["git_upstream_missing", () => git(["switch", "--quiet", "-c", "topic", "--track", "main"])],
    ["git_push_elsewhere", () => git(["config", "remote.pushDefault", "fork"])],
    ["git_unfinished", () => writeFileSync(join(folder(), ".git/MERGE_HEAD"), "")],
    ["git_unfinished", () => mkdirSync(join(folder(), ".git/rebase-merge"))],
    ["git_locked", () => writeFileSync(join(folder(), ".git/index.lock"), "")],
    ["git_secrets", () => write({ "deep/.env": "TOKEN=1" })],
    ["git_key_staged", () => stage({ "train.py": KEY_LINE })],
    [
      "git_secrets",
      () => write({ "mine.txt": "x" }),
      () => ({ secrets: [realpathSync(join(folder(), "mine.txt"))] }),
    ],
    ["git_secrets_committed", () => commit({ id_rsa: "x" })],
    ["git_secrets_committed", () => commitAndTakeOut({ "AGENTS.md": KEY_LINE })],
    ["git_secrets_committed", () => mergeWith({ "AGENTS.md": KEY_LINE })],
    ["git_too_big", () => writeBig("model.bin")],
    ["git_submodule_unready", () => makeRepository({ a: "1" }, join(folder(), "inner"))],
    [
      "git_identity_missing",
      () => commitNothing(),
      () => ({ env: makeEnv("[user]\nuseConfigOnly = true\nname =\nemail =\n") }),
    ],
    ["git_behind", () => pushFromElsewhere()],
    ["git_remote_silent", () => rmSync(bare(), { recursive: true })],
    ["git_sync_impossible", () => undefined, () => ({ folder: temp() })],
    [
      "git_sync_impossible",
      () => write({ ".gitignore": "own\n", "own/a": "1" }),
      () => ({ folder: join(folder(), "own") }),
    ],
  ];

  it.each(cases.map(([code, make, scope]) => ({ code, make, scope })))("$code (%#)", async (refused) => {
    const { code, make, scope } = refused;
    await makePushed({ "train.py": "1" });
    await make();
    const before = hashFolder(join(folder(), ".git"));
    await expect(plan(scope?.())).rejects.toMatchObject({ code });
    expect(hashFolder(join(folder(), ".git"))).toBe(before);
  });

  const commitNothing = () => write({ "train.py": "2" });

  async function stage(files: Record<string, string>) {
    write(files);
    await git(["add", "-A"]);
  }

  async function commit(files: Record<string, string>) {
    await stage(files);
    await git(["commit", "--quiet", "-m", "mine"]);
  }

  /** A push would bring the key along all the same. */
  async function commitAndTakeOut(files: Record<string, string>) {
    await commit(files);
    for (const path of Object.keys(files)) rmSync(join(folder(), path));
    await git(["commit", "--quiet", "-am", "out"]);
  }

  /** Only the merge itself has them. */
  async function mergeWith(files: Record<string, string>) {
    await git(["switch", "--quiet", "-c", "side"]);
    await git(["commit", "--quiet", "--allow-empty", "-m", "theirs"]);
    await git(["switch", "--quiet", "main"]);
    await git(["merge", "--quiet", "--no-ff", "--no-commit", "side"]);
    await stage(files);
    await git(["commit", "--quiet", "-m", "merged"]);
  }

  function writeBig(path: string) {
    write({ [path]: "" });
    truncateSync(join(folder(), path), 50_000_001);
  }

  async function pushFromElsewhere() {
    const other = join(temp(), "other");
    await git(["clone", "--quiet", bare(), other]);
    await git(["commit", "--quiet", "--allow-empty", "-m", "theirs"], { cwd: other });
    await git(["push", "--quiet"], { cwd: other });
  }
});
