import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitRemote } from "../../../test/support/git-remote.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { executeGitSync } from "./execute-git-sync.ts";
import { type GitSyncPlan, planGitSync } from "./plan-git-sync.ts";

const remote = useGitRemote();
const { temp, folder, bare, git, write, makeEnv, makePushed, runner, writeHook, readRemoteHead } = remote;

const plan = () => planGitSync(runner, { folder: folder(), env: makeEnv() });

function execute(planned: GitSyncPlan, beforeStep?: (step: string) => void, env = makeEnv()) {
  return executeGitSync(runner, planned, { env, beforeStep });
}

const gitFolder = () => join(folder(), ".git");
/** HEAD, what is staged, and what lies there, as git tells it. */
const readState = async () => [
  await git(["rev-parse", "HEAD"]),
  readFileSync(join(gitFolder(), "index")).toString("hex"),
  await git(["status", "--porcelain", "--untracked-files=all"]),
];

async function makeEdited() {
  await makePushed({ "train.py": "1", "old.py": "1" });
  write({ "train.py": "2", "new.py": "new", "staged.py": "s" });
  await git(["add", "staged.py"]);
  rmSync(join(folder(), "old.py"));
}

describe("executeGitSync", () => {
  it("commits and pushes exactly what was planned, once", async () => {
    await makeEdited();
    const planned = await plan();
    const steps: string[] = [];
    const synced = await execute(planned, (step) => steps.push(step));
    expect(synced).toEqual({ commit: await readRemoteHead(), isCommitMade: true, isPushed: true });
    expect(await git(["log", "-1", "--format=%T %s %an <%ae> %P"])).toBe(
      `${planned.tree} sync: experiment deployment T <t@example.org> ${planned.head}`,
    );
    expect(await git(["status", "--porcelain"])).toBe("");

    write({ "train.py": "edited since" });
    const again = await execute(planned, (step) => steps.push(step));
    expect(again).toEqual({ commit: synced.commit, isCommitMade: false, isPushed: false });
    expect(steps).toEqual(["commit", "push"]);
  });

  it("makes the first commit and the first branch", async () => {
    await makePushed({ a: "1" });
    await git(["init", "--quiet", "--bare", join(temp(), "empty.git")]);
    await git(["remote", "set-url", "origin", join(temp(), "empty.git")]);
    await git(["update-ref", "-d", "refs/heads/main"]);
    const { commit } = await execute(await plan());
    expect(await git(["rev-parse", "main"], { cwd: join(temp(), "empty.git") })).toBe(commit);
  });

  it("pushes a clean tree without a commit, and nothing but the branch", async () => {
    await makePushed({ a: "1" });
    await git(["commit", "--quiet", "--allow-empty", "-m", "mine"]);
    await git(["tag", "-a", "-m", "not for the remote", "v1"]);
    await git(["config", "push.followTags", "true"]);
    const head = await git(["rev-parse", "HEAD"]);
    expect(await execute(await plan())).toEqual({ commit: head, isCommitMade: false, isPushed: true });
    expect(await git(["for-each-ref", "--format=%(objectname) %(refname)"], { cwd: bare() })).toBe(
      `${head} refs/heads/main`,
    );
  });

  it("goes on after a crash between the commit and the push", async () => {
    await makeEdited();
    const planned = await plan();
    await git(["add", "-A"]);
    await git(["commit", "--quiet", "-m", "sync: experiment deployment"]);
    write({ "train.py": "edited since" });
    expect(await execute(planned)).toEqual({
      ...{ commit: await readRemoteHead(), isCommitMade: false, isPushed: true },
    });
  });

  it("comes to the planned tree whatever the person's settings are, also in a linked worktree", async () => {
    await makePushed({ a: "1\n", ".gitattributes": "*.bat text eol=crlf\n" });
    const settings =
      "[core]\nautocrlf = input\nsplitIndex = true\nquotePath = false\n[diff]\nnoprefix = true\nrenames = copies\n" +
      "[status]\nshort = true\nshowUntrackedFiles = no\nrelativePaths = true\n[commit]\nverbose = true\n[color]\nui = always\n" +
      "[log]\nshowSignature = true\n[push]\ndefault = nothing\n";
    const env = makeEnv(settings);
    const linked = join(temp(), "linked");
    await git(["worktree", "add", "--quiet", "-b", "exp", linked]);
    await git(["push", "--quiet", "-u", "origin", "exp"], { cwd: linked });
    const files = { a: "1\r\n", "run.bat": "x\r\n", "deep/é \n.txt": "u\r\n" };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(linked, path)), { recursive: true });
      writeFileSync(join(linked, path), text);
    }
    const planned = await planGitSync(runner, { folder: linked, env });
    expect(planned.files.map(({ path }) => path)).toEqual(["deep/é \n.txt", "run.bat"]);
    const { commit } = await execute(planned, undefined, env);
    expect(await git(["rev-parse", "exp", "exp^{tree}"], { cwd: bare() })).toBe(`${commit}\n${planned.tree}`);
  });

  it("runs the person's hooks, and takes a message that they make longer", async () => {
    await makeEdited();
    writeHook("pre-commit", 'echo "$GIT_TERMINAL_PROMPT" >ran', gitFolder());
    writeHook("commit-msg", `echo "Change-Id: I1" >>"$1"`, gitFolder());
    await git(["config", "core.excludesFile", join(temp(), "ignored")]);
    const planned = await plan();
    await execute(planned);
    expect(readFileSync(join(folder(), "ran"), "utf8")).toBe("0\n");
    expect(await git(["log", "-1", "--format=%B"])).toContain("Change-Id: I1");
    expect(await execute(planned)).toMatchObject({ isCommitMade: false, isPushed: false });
  });
});

describe("executeGitSync leaves the repository as it was", () => {
  type Change = readonly [string, () => unknown, RegExp];
  const changes: readonly Change[] = [
    ["a file was edited", () => write({ "train.py": "3" }), /: train\.py\./],
    ["a file was made", () => write({ "later.py": "3" }), /: later\.py\./],
    [
      "another branch was checked out",
      () => git(["switch", "--quiet", "-c", "b", "--track", "origin/main"]),
      /branch was main and is b/,
    ],
    [
      "the remote was changed",
      () => git(["remote", "set-url", "origin", `${bare()}/../other`]),
      /its remote was/,
    ],
    ["a commit was made", () => git(["commit", "--quiet", "-m", "other"]), /the last commit was/],
    ["the remote moved", () => pushFromElsewhere(), /the commit of origin\/main was/],
  ];

  it.each(changes)("where %s since the plan", async (_, change, message) => {
    await makeEdited();
    const planned = await plan();
    await change();
    const [before, there] = [await readState(), await readRemoteHead()];
    const fault = await execute(planned).catch((reason: unknown) => reason);
    expect(fault).toMatchObject({ code: "git_sync_stale", exit: 4, message: expect.stringMatching(message) });
    expect([await readState(), await readRemoteHead()]).toEqual([before, there]);
  });

  it("where a file was edited and no commit is planned", async () => {
    await makePushed({ a: "1" });
    await git(["commit", "--quiet", "--allow-empty", "-m", "mine"]);
    const planned = await plan();
    write({ a: "2" });
    await expect(execute(planned)).rejects.toThrow("changed files was 0 and is 1");
    expect(await readRemoteHead()).not.toBe(planned.head);
  });

  it.each([
    ["pre-commit", "echo 'lint: line 3 is too long' >&2; exit 1", "git_commit_refused", /lint: line 3/],
    [
      "pre-commit",
      "echo 3 >train.py; git add train.py",
      "git_commit_changed",
      /: train\.py\. The commit was taken back/,
    ],
  ])("where a %s hook does '%s'", async (hook, script, code, message) => {
    await makeEdited();
    const planned = await plan();
    const [head, index] = await readState();
    writeHook(hook, script, gitFolder());
    const fault = await execute(planned).catch((reason: unknown) => reason);
    expect(fault).toMatchObject({ code, message: expect.stringMatching(message) });
    expect((await readState()).slice(0, 2)).toEqual([head, index]);
    expect(await readRemoteHead()).toBe(planned.remoteCommit);
  });

  it("where it is called off while a hook runs", async () => {
    await makeEdited();
    const planned = await plan();
    const before = await readState();
    const stop = new AbortController();
    const started = join(temp(), "started");
    writeHook("pre-commit", `: >'${started.replaceAll("'", `'\\''`)}'; exec sleep 60`, gitFolder());
    const synced = executeGitSync(runner, planned, { env: makeEnv(), signal: stop.signal });
    const ended = expect(synced).rejects.toMatchObject({ code: "git_commit_refused" });
    await waitFor(() => existsSync(started));
    stop.abort();
    await ended;
    expect(await readState()).toEqual(before);
    expect(existsSync(join(gitFolder(), "index.lock"))).toBe(false);
  });

  async function pushFromElsewhere() {
    const other = join(temp(), "other");
    await git(["clone", "--quiet", bare(), other]);
    await git(["commit", "--quiet", "--allow-empty", "-m", "theirs"], { cwd: other });
    await git(["push", "--quiet"], { cwd: other });
  }
});

describe("a push that the remote does not take", () => {
  it.each([
    ["pre-receive", "echo 'no deployments on Fridays'; exit 1"],
    ["pre-push", "echo 'no deployments on Fridays' >&2; exit 1"],
  ])("is told, where a %s hook refuses, and the commit stays", async (hook, script) => {
    await makeEdited();
    writeHook(hook, script, hook === "pre-push" ? gitFolder() : bare());
    const planned = await plan();
    const fault = await execute(planned).catch((reason: unknown) => reason);
    const head = await git(["rev-parse", "HEAD"]);
    expect(fault).toMatchObject({ code: "git_push_rejected", details: { commit: head } });
    expect(`${fault}`).toMatch(/no deployments on Fridays.*The commit \w+ stays on main here/);
    expect(await readRemoteHead()).toBe(planned.head);

    rmSync(join(hook === "pre-push" ? gitFolder() : bare(), "hooks", hook));
    expect(await execute(planned)).toEqual({ commit: head, isCommitMade: false, isPushed: true });
  });

  it("changes nothing here when no commit was to be made", async () => {
    await makePushed({ a: "1" });
    await git(["commit", "--quiet", "--allow-empty", "-m", "mine"]);
    writeHook("update", "exit 1");
    const planned = await plan();
    const before = await readState();
    await expect(execute(planned)).rejects.toThrow("Nothing was changed here.");
    expect(await readState()).toEqual(before);
    expect(realpathSync(folder())).toBe(planned.root);
  });
});
