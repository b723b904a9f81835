import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { useGitRemote } from "../../../test/support/git-remote.ts";
import { judgeServer } from "./judge-server.ts";
import { planGitSync } from "./plan-git-sync.ts";
import { readServerCheckout } from "./server-checkout.ts";

describe("judgeServer", () => {
  const remote = useGitRemote();
  const { folder, codeDir, git, write, makeEnv, makePushed, makeCheckout, makeRepository } = remote;
  const { runner, lookAtServer } = remote;

  const plan = (below = "") => planGitSync(runner, { folder: join(folder(), below), env: makeEnv() });
  const judge = async (below = "", codePlace = codeDir()) => {
    const scope = { host: "my-gpu-server", codeDir: codePlace, env: makeEnv() };
    return judgeServer(runner, await plan(below), await lookAtServer({ place: codePlace }), scope);
  };
  const inCheckout = (...args: string[]) => git(args, { cwd: codeDir() });

  it.each([
    ["files and no git", () => writeAt("a", "1"), /is in no git repository/],
    ["a file", () => writeFileSync(codeDir(), ""), /it is not a folder/],
    ["a bare repository", () => git(["init", "--quiet", "--bare", codeDir()]), /belongs to git itself/],
    [
      "another repository",
      () => makeRepository({ b: "1" }, codeDir()),
      /another repository \(without a remote\)/,
    ],
    ["edits", () => checkout(() => writeAt("a", "theirs")), /1 file that git tracks differ.*: a/],
    ["staged files", () => checkout(stageThere), /: é/],
    ["a file in the way", () => checkout(() => writeAt("new.py", "theirs")), /has files: new\.py/],
    ["a file where a folder comes", () => checkout(() => writeAt("pkg", "theirs")), /has files: pkg/],
    [
      "another branch",
      () => checkout(() => inCheckout("switch", "--quiet", "-c", "dev")),
      /branch dev is checked out/,
    ],
    [
      "no branch",
      () => checkout(() => inCheckout("checkout", "--quiet", "--detach")),
      /no branch is checked out/,
    ],
    [
      "a rebase",
      () => checkout(() => mkdirSync(join(codeDir(), ".git/rebase-merge"))),
      /a rebase is not finished/,
    ],
    ["a lock", () => checkout(() => writeAt(".git/index.lock", "")), /git command is at work/],
    ["commits of its own", () => checkout(commitThere), /its commit \w+ is not in the history of main/],
  ])("with %s is told of before anything is touched", async (_, make, message) => {
    await makePushed({ a: "1" });
    write({ "new.py": "1", "pkg/b.py": "1" });
    mkdirSync(dirname(codeDir()), { recursive: true });
    await make();
    const { problems } = await judge();
    expect(problems.map(({ code }) => code)).toEqual(["git_server_unfit"]);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.message).toContain(`${codeDir()} on my-gpu-server`);
  });

  it.each([
    ["no_git", [["git_state", "no_git"]], "git is not installed there"],
    [
      "an old git",
      [
        ["git_state", "checkout"],
        ["git_prefix", ""],
      ],
      "git must be 2.11 or later",
    ],
    [
      "another owner",
      [
        ["git_state", "refused"],
        ["git_reason", "fatal: dubious ownership"],
      ],
      "it: dubious ownership",
    ],
  ] as const)("with %s is told", async (_, lines, words) => {
    await makePushed({ a: "1" });
    const checkout = readServerCheckout(lines);
    if (checkout === null) throw new Error("not read");
    const scope = { host: "h", codeDir: "/x", env: makeEnv() };
    const { problems } = await judgeServer(runner, await plan(), checkout, scope);
    expect(problems[0]?.message).toContain(words);
    expect(readServerCheckout([["gpu", "1"]])).toBeNull();
  });

  it("has the project below its code folder, or its code folder below the repository", async () => {
    await makePushed({ "proj/a": "1" });
    expect((await judge("proj")).step).toEqual({ action: "clone", remote: null, below: "proj" });
    await makeCheckout();
    expect(await judge("proj")).toMatchObject({ problems: [], step: { below: "proj" } });
    expect(await judge("proj", join(codeDir(), "proj"))).toMatchObject({ problems: [], step: { below: "" } });
    mkdirSync(join(codeDir(), "other"));
    writeAt("other/x", "");
    expect((await judge("proj", join(codeDir(), "other"))).problems[0]?.message).toContain(
      "it is the folder other",
    );
  });

  function writeAt(path: string, text: string) {
    mkdirSync(dirname(join(codeDir(), path)), { recursive: true });
    writeFileSync(join(codeDir(), path), text);
  }

  async function checkout(change: () => unknown) {
    await makeCheckout();
    await change();
  }

  async function stageThere() {
    writeAt("é", "1");
    await inCheckout("add", "é");
  }

  async function commitThere() {
    await inCheckout("commit", "--quiet", "--allow-empty", "-m", "x");
  }
});
