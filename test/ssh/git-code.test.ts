import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashFolder } from "../support/git-project.ts";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);
const bare = () => join(stage.temp(), "the remote.git");
const codeDir = () => join(stage.temp(), "host code");
/** The person's, who is the same on both sides. */
const makeEnv = () => {
  const config = join(stage.temp(), "gitconfig");
  writeFileSync(
    config,
    "[user]\nname = T\nemail = t@example.org\n[init]\ndefaultBranch = main\n[safe]\ndirectory = *\n",
  );
  return { GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: "1" };
};
const git = async (args: readonly string[], cwd = stage.project()) => {
  const env = stage.makeEnv(makeEnv());
  const outcome = await stage.runner.run(["git", ...args], { cwd, env, timeoutMs: 20_000 });
  if (outcome.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${outcome.stderr}`);
  return outcome.stdout.trim();
};

/** A pushed project, its checkout on the host, and a change at home that is not committed. */
async function makePushed() {
  stage.write({ "train.py": "print(1)\n" });
  stage.writeSection([`- Code dir: \`${codeDir()}\``, "- code_sync: git"]);
  await git(["init", "--quiet"]);
  await git(["add", "-A"]);
  await git(["commit", "--quiet", "-m", "first"]);
  await git(["init", "--quiet", "--bare", bare()]);
  await git(["remote", "add", "origin", bare()]);
  await git(["push", "--quiet", "-u", "origin", "main"]);
  await git(["clone", "--quiet", bare(), codeDir()]);
  stage.write({ "train.py": "print(2)\n", "new.py": "x\n" });
  await git(["status"]); // brings the index up to date
}

const readAll = async () => ({
  head: await git(["rev-parse", "HEAD"]),
  status: await git(["status", "--porcelain"]),
  remote: hashFolder(bare()),
  server: hashFolder(codeDir()),
});
const CALL = ["run", "--gpus", "none", "--", "python3", "train.py"];

describe("L35 code_sync: git, from `sortie run` on", () => {
  it("does nothing until it is confirmed, then commits, pushes, pulls and runs the very commit", async () => {
    await makePushed();
    const [env, before] = [makeEnv(), await readAll()];
    const planned = await stage.run(CALL, { env });
    expect(planned.exitCode).toBe(3);
    expect(planned.stdout).toMatch(/commit 2 files.*sync: experiment deployment.*push/s);
    expect(await readAll()).toEqual(before);
    const id = /Plan (\S+)/.exec(planned.stdout)?.[1] as string;
    const { run } = await stage.ask(["confirm", id, "--detach"], { env });
    const shown = await stage.finish(run.id, { env });
    expect(readFileSync(join(shown.resultsFolder, "log"), "utf8")).toBe("2\n");
    const head = await git(["rev-parse", "HEAD"]);
    expect(await git(["log", "-1", "--format=%s"])).toBe("sync: experiment deployment");
    expect(await git(["rev-parse", "main"], bare())).toBe(head);
    expect(await git(["rev-parse", "HEAD"], codeDir())).toBe(head);
    expect(shown.git).toMatchObject({ commit: head });
  });

  it("leaves the server alone where the push is rejected, and goes on once it is not", async () => {
    await makePushed();
    const [env, server] = [makeEnv(), hashFolder(codeDir())];
    const hook = join(bare(), "hooks", "pre-receive");
    mkdirSync(join(bare(), "hooks"), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\necho 'main is protected'; exit 1\n");
    chmodSync(hook, 0o755);
    const call = ["run", "--yes", "--detach", ...CALL.slice(1)];
    const refused = await stage.ask(call, { env });
    expect(refused).toMatchObject({ exit: 5, error: { code: "git_push_rejected" } });
    expect(refused.error.message).toMatch(/main is protected/);
    expect(hashFolder(codeDir())).toBe(server);
    expect((await stage.ask(["ls"])).runs).toMatchObject([{ state: "failed", endReason: "launch_failed" }]);
    rmSync(hook);
    const again = await stage.ask(call, { env });
    expect(again.run).toMatchObject({ host: "box" });
    expect(await git(["rev-parse", "HEAD"], codeDir())).toBe(await git(["rev-parse", "HEAD"]));
  });

  it("refuses a plan whose code has changed, and edits on the server", async () => {
    await makePushed();
    const env = makeEnv();
    const { plan } = await stage.ask(CALL, { env });
    stage.write({ "meanwhile.py": "y\n" });
    const before = await readAll();
    expect(await stage.ask(["confirm", plan.id], { env })).toMatchObject({
      exit: 4,
      error: { code: "plan_stale" },
    });
    expect(await readAll()).toEqual(before);
    writeFileSync(join(codeDir(), "train.py"), "theirs\n");
    expect(await stage.ask(CALL, { env })).toMatchObject({ exit: 2, error: { code: "git_server_unfit" } });
    expect(existsSync(join(codeDir(), "new.py"))).toBe(false);
  });
});
