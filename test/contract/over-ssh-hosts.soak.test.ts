import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { useContractStage } from "../support/contract-stage.ts";
import { makeFakeConda } from "../support/fake-conda.ts";
import { canMount, useMounts } from "../support/mounts.ts";
import { useSshd } from "../support/sshd.ts";
import { type LoginShell, writeStartFile } from "../support/sshd-accounts.ts";
import { writeWheel } from "../support/wheel.ts";

const sshd = useSshd();
const stage = useContractStage(sshd);
const mounts = useMounts();
const README = "```sh sortie-check\npython train.py\n# expect line trained with 1.0\n```\n";
const TRAIN = "import alpha\nprint('trained with', alpha.version)\n";
const COMMAND = ["python", "train.py"];
afterEach(() => rmSync(join(sshd().hostHome, ".bashrc"), { force: true }));

function writeProject(spec = {}, root = stage.project()) {
  mkdirSync(join(root, "wheels"), { recursive: true });
  writeWheel(join(root, "wheels"), { name: "alpha", version: "1.0" });
  stage.write({ "train.py": TRAIN, "README.md": README }, root);
  const pip_phases = [["--no-index", "--find-links", "wheels", "alpha"]];
  stage.writeSpec({ pip_phases, smoke: { import_names: ["alpha"] }, ...spec }, { root });
}

describe("whatever the login shell is, and says", () => {
  const cases: [LoginShell, string, string][] = [
    ["bash", ".bashrc", "echo 'Welcome to the cluster'; export HOME=\"$HOME/it's a home\"; cd"],
    ["fish", ".config/fish/config.fish", "echo 'Willkommen: 95 %'"],
    ["tcsh", ".tcshrc", "echo 'Quota exceeded!'"],
  ];

  it.each(cases)("%s: it is built, checked and used", async (shell, file, line) => {
    const { alias, home } = sshd().makeAccount(shell);
    const inside = shell === "bash" ? join(home, "it's a home") : home;
    mkdirSync(inside, { recursive: true });
    execFileSync("chown", [alias, inside]);
    writeStartFile(home, file, line);
    const root = join(stage.project(), `größe & "${shell}"`);
    writeProject({}, root);
    stage.writeSection(["- Code dir: `~/my code`"], { alias, root });
    const { id } = await stage.launch(COMMAND, [], { cwd: root });
    expect(await stage.finish(id, { cwd: root })).toMatchObject({ state: "succeeded" });
    expect((await stage.run(["logs", id])).stdout).toBe("trained with 1.0\n");
    expect(readdirSync(join(inside, ".sortie", "envs"))).toContain("train");
    const tiers = /^- tier: 1 import passed.*; 2 witness passed.*; 3 document passed/m;
    const ledger = readFileSync(join(root, ".aris", "compute", `${alias}.md`), "utf8");
    expect(ledger).toMatch(tiers);
    expect(ledger).toContain('enter it with `. "$HOME"/.sortie/envs/train/bin/activate`');
  });
});

describe("a person's own conda environment", () => {
  const listConda = (folder: string) => readdirSync(folder, { recursive: true }).sort();

  it("is checked and used as it is, and never built", async () => {
    const conda = makeFakeConda(stage.onHost("conda"), ["research"]);
    const before = listConda(stage.onHost("conda"));
    writeProject({ smoke: { import_names: ["json"] }, env: { MODE: "quiet" } });
    stage.write({ "README.md": "```sh sortie-check\npython -c 'print(1)'\n```\n" });
    stage.writePlaces([
      `- Conda: \`eval "$(${quoteShell(conda)} shell.bash hook)" && conda activate research\``,
    ]);
    await stage.ask(["trust"]);
    const built = await stage.ask(["env", "build", "--yes"]);
    expect(built).toMatchObject({ exit: 0, tiers: [{ tier: 1, state: "passed" }] });
    const command = ["sh", "-c", 'echo "$CONDA_DEFAULT_ENV $MODE"'];
    const { plan } = await stage.ask(["run", "--gpus", "none", "--", ...command]);
    expect(plan.terms.environment.contract).toMatchObject({ action: "check", owner: "person" });
    const { id } = await stage.launch(command);
    await stage.finish(id);
    expect((await stage.run(["logs", id])).stdout).toBe("research quiet\n");
    expect(await stage.ask(["env", "check"])).toMatchObject({ exit: 0, environment: { owner: "person" } });
    expect(stage.readLedger()).toMatch(/^- how: made by hand/m);
    expect(stage.listEnvs()).toEqual([]);
    expect(listConda(stage.onHost("conda"))).toEqual(before);

    stage.write({ "env-specs/train.yaml": "smoke: {import_names: [json, nowhere]}\n" });
    const refused = await stage.start(command);
    expect(refused).toMatchObject({
      exit: 5,
      error: { code: "environment_unverified", details: { tier: 1 } },
    });
    expect(refused.error.message).toMatch(/nowhere/);
    expect(listConda(stage.onHost("conda"))).toEqual(before);
  });
});

it("code_sync: git brings what is built and documented, and the ledger is committed as any other file", async () => {
  const config = join(stage.temp(), "gitconfig");
  writeFileSync(
    config,
    "[user]\nname = T\nemail = t@example.org\n[init]\ndefaultBranch = main\n[safe]\ndirectory = *\n",
  );
  const env = { GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: stage.project(), env: { ...process.env, ...env }, encoding: "utf8" });
  writeProject();
  stage.writePlaces(["- code_sync: git"]);
  const bare = join(stage.temp(), "the remote.git");
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
  git("init", "--quiet", "--bare", bare);
  git("remote", "add", "origin", bare);
  git("push", "--quiet", "-u", "origin", "main");
  git("clone", "--quiet", bare, stage.onHost("code"));
  const built = await stage.ask(["env", "build", "--yes"], { env });
  expect(built).toMatchObject({ exit: 0 });
  const { id } = await stage.launch(COMMAND, [], { env });
  expect(await stage.finish(id, { env })).toMatchObject({ state: "succeeded" });
  expect(await stage.ask(["env", "check"], { env })).toMatchObject({ exit: 0, trusted: true });
  expect(git("log", "--format=%s")).toBe("sync: experiment deployment\nfirst\n");
  expect(git("status", "--porcelain")).toBe(" M .aris/compute/box.md\n");
});

describe.runIf(canMount())("a folder of environments", () => {
  it("that nothing can be written to: that is said, and one that is there is used all the same", async () => {
    writeProject();
    mkdirSync(stage.envs(), { recursive: true });
    stage.writePlaces();
    mounts.mountReadOnly(stage.envs());
    const refused = await stage.start(COMMAND);
    expect(refused).toMatchObject({ exit: 5, error: { code: "environment_unbuildable" } });
    expect(`${refused.error.message} ${refused.error.hint}`).toMatch(
      /cannot be written.*Read-only.*`env_dir`/s,
    );
    expect((await stage.ask(["ls"])).runs).toMatchObject([{ state: "failed", endReason: "launch_failed" }]);
    mounts.unmount(stage.envs());
    await stage.launch(COMMAND);
    mounts.mountReadOnly(stage.envs());
    expect(await stage.start(COMMAND)).toMatchObject({ exit: 0 });
    // What is shown now cannot be kept there: it counts once.
    stage.write({ "README.md": README.replace("train.py", "./train.py") });
    const told = await stage.run(["run", "--yes", "--detach", "--gpus", "none", "--", ...COMMAND]);
    expect(told).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^warning: what was shown cannot be kept/),
    });
    expect(await stage.ask(["env", "check"])).toMatchObject({ exit: 1, due: [{ tier: 3 }] });
  });

  it("that has no room: that is said, nothing is left, and it works once there is some", async () => {
    writeProject();
    writeWheel(join(stage.project(), "wheels"), {
      ...{ name: "alpha", version: "1.0", code: `version = "1.0"\n${"# much\n".repeat(300_000)}` },
    });
    stage.writePlaces();
    mounts.mountSmall(stage.envs(), 1000, 2000);
    const refused = await stage.ask(["env", "build", "--yes"]);
    expect(refused).toMatchObject({ exit: 5, error: { details: { cause: "disk_full", step: "pip 1" } } });
    expect(`${refused.error.message} ${refused.error.hint}`).toMatch(/no room left.*`env_dir`/s);
    expect(stage.listEnvs()).toEqual([]);
    mounts.unmount(stage.envs());
    expect(await stage.ask(["env", "build", "--yes"])).toMatchObject({ exit: 0 });
  });
});
