import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);
const onHost = (...names: string[]) => join(sshd().hostHome, ...names);
const startFile = () => onHost(".bashrc");

afterEach(() => {
  writeFileSync(startFile(), "");
  linkTools();
});

beforeAll(() => {
  mkdirSync(onHost("programs"));
  linkTools();
});

function linkTools() {
  const there = new Set(readdirSync(onHost("programs")));
  const tools = ["/usr/sbin", "/usr/bin"].flatMap((place) =>
    readdirSync(place).map((name) => [name, join(place, name)] as const),
  );
  for (const [name, path] of new Map(tools))
    if (!there.has(name)) symlinkSync(path, onHost("programs", name));
}

/** The host has every program of this machine but these. */
function hideTools(...hidden: string[]) {
  for (const name of hidden) rmSync(onHost("programs", name), { force: true });
  writeFileSync(startFile(), `PATH=${quoteShell(onHost("programs"))}\n`);
}

function writeProject(alias = "box", codeDir = "~/tools code") {
  stage.write({ "train.py": "print('trained')" });
  stage.writeSection([`- Code dir: \`${codeDir}\``], { alias });
}

describe("a host without", () => {
  it.each([
    ["rsync", ["rsync"], /rsync is not installed on box.*code_sync: git/],
    ["sha256sum and shasum", ["sha256sum", "shasum"], /sha256sum is not installed on box/],
  ])("%s is told before anything is sent", async (_, hidden, words) => {
    hideTools(...hidden);
    writeProject();
    const told = await stage.start(["python3", "train.py"]);
    expect(told).toMatchObject({ exit: 5, error: { code: "tool_missing" } });
    expect(`${told.error.message} ${told.error.hint}`).toMatch(words);
    expect(existsSync(onHost("tools code"))).toBe(false);
  });

  it("L19 screen: the run gets a plain session, and that is said", async () => {
    hideTools("screen");
    writeProject();
    const { id, session } = await stage.launch(["python3", "train.py"]);
    expect(session).toBeNull();
    const shown = await stage.finish(id);
    expect(shown).toMatchObject({
      state: "succeeded",
      notes: [expect.stringMatching(/box has no screen.*plain session/)],
    });
  });

  it("nvidia-smi: GPUs are said not to be there, and a run that wants none goes on", async () => {
    writeProject();
    const told = await stage.ask(["run", "--yes", "--detach", "--gpus", "1", "--", "python3", "train.py"]);
    expect(told).toMatchObject({ exit: 2, error: { code: "gpus_too_few" } });
    expect(`${told.error.message} ${told.error.hint}`).toMatch(/nvidia-smi|--gpus none/);
    await stage.launch(["python3", "train.py"]);
  });
});

describe("a folder that nothing can be written to", () => {
  it("is named before anything is sent, be it the code's or the job's", async () => {
    const { alias } = sshd().makeAccount("bash");
    mkdirSync(onHost("root's own"), { recursive: true });
    writeProject(alias, onHost("root's own", "code"));
    const error = { code: "host_unwritable", message: expect.stringContaining(onHost("root's own", "code")) };
    expect(await stage.start(["true"])).toMatchObject({ exit: 2, error });
    stage.writeSection(["- Code dir: `~/code`", `- job_dir: \`${onHost("root's own")}\``], { alias });
    const message = expect.stringMatching(/can be written to .*root's own\.$/);
    expect(await stage.start(["true"])).toMatchObject({
      exit: 2,
      error: { code: "host_unwritable", message },
    });
  });

  it("a file of another person's in the code folder is named", async () => {
    const { alias, home } = sshd().makeAccount("bash");
    mkdirSync(join(home, "code", "pkg"), { recursive: true }); // made by root, who runs the tests
    writeFileSync(join(home, "code", "train.py"), "theirs", { mode: 0o600 });
    stage.write({ "pkg/model.py": "1" });
    writeProject(alias, "~/code");
    const told = await stage.start(["true"]);
    expect(told.error.message).toMatch(/cannot be written|can be written|Permission denied/);
    expect(existsSync(join(home, "code", "pkg", "model.py"))).toBe(false);
  });
});

describe("start files and banners", () => {
  it("L3 that talk do no harm to the probe, the sync and the launch, and the plan says so", async () => {
    writeFileSync(startFile(), "echo 'Welcome to the cluster'; echo 'Quota: 95 %' >&2\n");
    sshd().server.setBanner("No space left on device. Permission denied.\n");
    writeProject("box", "~/talkative");
    const { plan } = await stage.ask(["run", "--gpus", "none", "--", "python3", "train.py"]);
    expect(plan.notes.join("\n")).toMatch(/prints "Welcome to the cluster" at every command; it is skipped/);
    const { run } = await stage.ask(["confirm", plan.id, "--detach"]);
    const ended = await stage.finish(run.id);
    sshd().server.setBanner(null);
    expect(ended).toMatchObject({ state: "succeeded", results: [] });
  });

  it("L3 that end the shell at once are named", async () => {
    writeFileSync(startFile(), "exit 0\n");
    writeProject();
    const told = await stage.start(["true"]);
    expect(told).toMatchObject({ exit: 5, error: { code: "ssh_shell_silent" } });
    expect(told.error.hint).toMatch(/\.bashrc/);
  });
});
