import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeToken } from "../src/base/ids.ts";
import { executeGitSync } from "../src/sync/git-sync/execute-git-sync.ts";
import { judgeServer } from "../src/sync/git-sync/judge-server.ts";
import { planGitSync } from "../src/sync/git-sync/plan-git-sync.ts";
import { makePullScript, readPull } from "../src/sync/git-sync/pull-script.ts";
import { hashFolder } from "./support/git-project.ts";
import { useGitRemote } from "./support/git-remote.ts";

const remote = useGitRemote();
const {
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

/** Everything in the order of a launch: what is there is read, the plan is made, `confirm` is asked, then all is done. */
async function deploy(confirm: () => boolean = () => true) {
  const env = makeEnv();
  const place = { host: "my-gpu-server", codeDir: codeDir() };
  const checkout = await lookAtServer();
  const plan = await planGitSync(runner, { folder: folder(), env });
  const { problems, step } = await judgeServer(runner, plan, checkout, { ...place, env });
  if (problems[0] !== undefined) throw problems[0];
  if (!confirm()) return { plan, commit: null };
  const { commit } = await executeGitSync(runner, plan, { env });
  const order = { ...place, commit, step, token: makeToken() };
  const { stdout } = await runScript(makePullScript(plan, order));
  return { plan, commit: readPull(stdout, order)?.commit };
}

const readAll = async () => ({
  home: await git(["rev-parse", "HEAD"]),
  status: await git(["status", "--porcelain"]),
  remote: hashFolder(bare()),
  server: hashFolder(codeDir()),
});

const PROJECT_FILE = `## GPU Server\n- wandb_api_key: ${"0a".repeat(20)}\n`;

describe("L35 code_sync: git", () => {
  it.each([
    ["there is no upstream", "git_upstream_missing", () => git(["branch", "--unset-upstream"])],
    ["HEAD is detached", "git_detached", () => git(["checkout", "--quiet", "--detach"])],
    ["a file looks like a secret", "git_secrets", () => write({ ".env": "WANDB_API_KEY=x" })],
    [
      "the project's file has a wandb_api_key in a commit that is not pushed",
      "git_secrets_committed",
      async () => {
        write({ "AGENTS.md": PROJECT_FILE });
        await git(["add", "AGENTS.md"]);
        await git(["commit", "--quiet", "-m", "mine"]);
      },
    ],
    [
      "the server has local edits",
      "git_server_unfit",
      () => writeFileSync(join(codeDir(), "train.py"), "theirs"),
    ],
    ["the remote is gone", "git_remote_silent", () => rmSync(join(bare(), "HEAD"))],
  ])("commits, pushes and touches nothing where %s", async (_, code, change) => {
    await makePushed({ "train.py": "1" });
    await makeCheckout();
    write({ "train.py": "2" });
    await change();
    await git(["status"]); // brings the index up to date
    const before = await readAll();
    await expect(deploy()).rejects.toMatchObject({ code });
    expect(await readAll()).toEqual(before);
  });

  it("leaves a file with a wandb_api_key out of the commit, as it is, and brings all else", async () => {
    await makePushed({ "train.py": "1", "AGENTS.md": "## GPU Server\n" });
    await makeCheckout();
    write({ "train.py": "2", "AGENTS.md": PROJECT_FILE, "notes [1].md": PROJECT_FILE });
    const { plan, commit } = await deploy();
    expect(plan.files.map(({ path }) => path)).toEqual(["train.py"]);
    expect(plan.leftOut.map(({ path }) => path)).toEqual(["AGENTS.md", "notes [1].md"]);
    expect(await git(["rev-parse", "HEAD", "HEAD^{tree}"])).toBe(`${commit}\n${plan.tree}`);
    expect(await git(["show", "HEAD:AGENTS.md"], { cwd: codeDir() })).toBe("## GPU Server");
    expect(await git(["status", "--porcelain"])).toBe('M AGENTS.md\n?? "notes [1].md"');

    const again = await deploy();
    expect(again.plan).toMatchObject({ commit: null, isPushNeeded: false, leftOut: plan.leftOut });
    await git(["commit", "--quiet", "--allow-empty", "-m", "mine"]);
    const pushed = await deploy();
    expect([pushed.plan.commit, pushed.commit]).toEqual([null, await remote.readRemoteHead()]);
  });

  it("commits and pushes nothing that was not confirmed", async () => {
    await makePushed({ "train.py": "1" });
    await makeCheckout();
    write({ "train.py": "2" });
    await git(["status"]);
    const before = await readAll();
    await deploy(() => false);
    expect(await readAll()).toEqual(before);
    const confirm = () => {
      write({ "made-meanwhile.py": "x" });
      return true;
    };
    await expect(deploy(confirm)).rejects.toMatchObject({ code: "git_sync_stale" });
    rmSync(join(folder(), "made-meanwhile.py"));
    expect(await readAll()).toEqual(before);
  });

  it("does not touch the server where the push is rejected, and goes on when it no longer is", async () => {
    await makePushed({ "train.py": "1" });
    await makeCheckout();
    write({ "train.py": "2" });
    remote.writeHook("pre-receive", "echo 'main is protected'; exit 1");
    const before = hashFolder(codeDir());
    await expect(deploy()).rejects.toThrow(/main is protected.*The commit \w+ stays on main here/);
    expect(hashFolder(codeDir())).toBe(before);

    rmSync(join(bare(), "hooks", "pre-receive"));
    const { plan, commit } = await deploy();
    expect(plan).toMatchObject({ commit: null, unpushed: { count: 1 } });
    expect([await git(["rev-parse", "HEAD"], { cwd: codeDir() }), await remote.readRemoteHead()]).toEqual([
      commit,
      plan.head,
    ]);
    expect(await git(["show", "HEAD:train.py"], { cwd: codeDir() })).toBe("2");
  });
});
