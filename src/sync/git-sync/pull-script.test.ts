import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitRemote } from "../../../test/support/git-remote.ts";
import { findFewShells } from "../../../test/support/shells.ts";
import { executeGitSync } from "./execute-git-sync.ts";
import { judgeServer } from "./judge-server.ts";
import { planGitSync } from "./plan-git-sync.ts";
import { makePullScript, readPull } from "./pull-script.ts";

const TOKEN = "0123456789abcdef";

interface SyncOptions {
  /** What happens between the push and the pull. */
  readonly between?: () => Promise<unknown>;
  readonly shell?: string;
}

describe("a server", () => {
  const remote = useGitRemote();
  const {
    temp,
    folder,
    bare,
    codeDir,
    git,
    write,
    makeEnv,
    makePushed,
    makeCheckout,
    runner,
    runScript,
    lookAtServer,
  } = remote;

  const plan = () => planGitSync(runner, { folder: folder(), env: makeEnv() });
  const scope = () => ({ host: "my-gpu-server", codeDir: codeDir(), env: makeEnv() });
  const judge = async () => judgeServer(runner, await plan(), await lookAtServer(), scope());

  /** Plans and does everything, with the server changed in between. */
  async function sync({ between, shell = "sh" }: SyncOptions = {}) {
    const planned = await plan();
    const { problems, step } = await judgeServer(runner, planned, await lookAtServer({ shell }), scope());
    expect(problems).toEqual([]);
    const { commit } = await executeGitSync(runner, planned, { env: makeEnv() });
    await between?.();
    const order = { commit, step, codeDir: codeDir(), token: TOKEN };
    const { stdout } = await runScript(makePullScript(planned, order), shell);
    return { step, commit, pulled: readPull(stdout, { ...order, host: "my-gpu-server" }) };
  }

  it.each(findFewShells())(
    "is cloned to, then pulled to, each time to the exact commit, by %s",
    async (shell) => {
      await makePushed({ "train.py": "1", "pkg/é.py": "1" });
      const first = await sync({ shell });
      expect(first).toMatchObject({ step: { action: "clone", below: "" }, pulled: { before: null } });
      write({ "train.py": "2" });
      // What the run wrote there stays.
      mkdirSync(join(codeDir(), "outputs"));
      writeFileSync(join(codeDir(), "outputs", "best.pt"), "result");
      const second = await sync({ shell });
      expect(second).toMatchObject({
        step: { action: "pull", remote: "origin" },
        pulled: { before: first.commit },
      });
      expect(await git(["rev-parse", "HEAD"], { cwd: codeDir() })).toBe(second.commit);
      expect(readFileSync(join(codeDir(), "train.py"), "utf8")).toBe("2");
      expect(existsSync(join(codeDir(), "outputs", "best.pt"))).toBe(true);
      expect((await judge()).step.action).toBe("nothing");
      expect(readdirSync(dirname(codeDir()))).toEqual(["my experiments"]);
    },
  );

  it("keeps to the planned commit when the branch goes on", async () => {
    await makePushed({ a: "1" });
    await makeCheckout();
    write({ a: "2" });
    const pushMore = async () => {
      await git(["commit", "--quiet", "--allow-empty", "-m", "later"]);
      await git(["push", "--quiet"]);
    };
    const { commit } = await sync({ between: pushMore });
    expect(await git(["rev-parse", "HEAD"], { cwd: codeDir() })).toBe(commit);
    rmSync(codeDir(), { recursive: true });
    write({ a: "3" });
    const cloned = await sync({ between: pushMore });
    expect(await git(["rev-parse", "HEAD"], { cwd: codeDir() })).toBe(cloned.commit);
  });

  it.each([
    ["edits", () => writeFileSync(join(codeDir(), "a"), "theirs"), "edits"],
    [
      "an ignored file in the way",
      () => writeFileSync(join(codeDir(), "local.yaml"), "theirs"),
      "in_the_way",
    ],
    ["another branch", () => git(["switch", "--quiet", "-c", "other"], { cwd: codeDir() }), "branch"],
    ["a merge", () => writeFileSync(join(codeDir(), ".git/MERGE_HEAD"), ""), "unfinished"],
    ["another remote", () => git(["remote", "set-url", "origin", "../nothing"], { cwd: codeDir() }), "fetch"],
    [
      "a local commit",
      () => git(["commit", "--quiet", "--allow-empty", "-m", "x"], { cwd: codeDir() }),
      "merge",
    ],
    ["no folder", () => rmSync(codeDir(), { recursive: true }), "place"],
  ])("that has %s since the plan is left as it is", async (_, change, problem) => {
    await makePushed({ a: "1", ".gitignore": "/local.yaml\n" });
    await makeCheckout();
    const exclude = join(codeDir(), ".git", "info", "exclude");
    writeFileSync(exclude, "local.yaml\n");
    write({ "local.yaml": "ours", ".gitignore": "", a: "2" });
    const files = () => (existsSync(codeDir()) ? readdirSync(codeDir()).map(readFile) : []);
    const readFile = (name: string) => (name === ".git" ? name : readFileSync(join(codeDir(), name), "utf8"));
    let before: string[] = [];
    const between = async () => {
      await change();
      before = files();
    };
    const fault = await sync({ between }).catch((reason: unknown) => reason);
    expect(fault).toMatchObject({ code: "git_pull_failed", details: { problem, host: "my-gpu-server" } });
    expect(files()).toEqual(before);
  });

  it("gets the submodules too", async () => {
    await makePushed({ a: "1" });
    const inner = join(temp(), "inner.git");
    await git(["clone", "--quiet", "--bare", bare(), inner]);
    await makeCheckout();
    await git(["submodule", "--quiet", "add", inner, "sub"]);
    const { commit } = await sync();
    expect(await git(["rev-parse", "HEAD"], { cwd: codeDir() })).toBe(commit);
    expect(readFileSync(join(codeDir(), "sub", "a"), "utf8")).toBe("1");
  });

  it("that gives no answer is not taken for done", () => {
    const order = { host: "h", codeDir: "/x", commit: "c", token: TOKEN };
    expect(readPull("", order)).toBeNull();
    expect(() => readPull(`begin=${TOKEN}\nend=${TOKEN}\n`, order)).toThrow("it did not say why");
  });
});
