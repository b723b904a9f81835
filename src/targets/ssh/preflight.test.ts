import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeConda } from "../../../test/support/fake-conda.ts";
import { makeTestJob, type TestJob } from "../../../test/support/job.ts";
import { findTool } from "../../../test/support/shells.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { makeHostFolder, makeSshTestTarget } from "../../../test/support/target-places.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { PreflightRequest } from "../target.ts";

const sshd = useSshd();

const LOOK: PreflightRequest = {
  ...{ environment: null, command: ["python"], folder: "~", project: [], inputs: [], gpus: false },
};

function ask(request: Partial<PreflightRequest> = {}, jobDir: string | null = null) {
  return makeSshTestTarget(sshd(), { jobDir }).preflight({ ...LOOK, ...request });
}

/** Lines of the start file that Debian's bash reads for every command of a login. */
function writeStartFile(...lines: string[]) {
  writeFileSync(join(sshd().hostHome, ".bashrc"), lines.map((line) => `${line}\n`).join(""));
}

/** A folder of programs that stand before those of the host. */
function writePrograms(programs: Readonly<Record<string, string>>) {
  const folder = join(makeHostFolder(sshd()), "bin");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  writeStartFile(`PATH="${folder.replaceAll('"', '\\"')}:$PATH"`);
}

describe("the facts of a host", () => {
  it("come in one question", async () => {
    const { server, ...rest } = await ask({
      folder: "~/code/sub",
      codeDir: "~/code",
      gpus: true,
      asksVersions: true,
    });
    const home = sshd().hostHome;
    expect(rest).toMatchObject({ jobDir: join(home, ".sortie/jobs"), folder: join(home, "code/sub") });
    expect(rest).toMatchObject({ isFolderThere: false, environment: null, missing: [] });
    expect(rest.gpus).toMatchObject({ kind: "none" });
    expect(server).toMatchObject({
      ...{ hostName: hostname(), home, banner: null, killsAtLogout: null, liveRuns: [], checkout: [] },
      tools: { rsync: expect.stringMatching(/^3\./), git: expect.stringMatching(/^2\./), setsid: "" },
      disks: [{ path: rest.jobDir }, { path: join(home, "code") }],
    });
    expect(server?.disks[0]?.freeKib).toBeGreaterThan(0);
    expect(Math.abs(server?.clockSkewS as number)).toBeLessThan(3);
  });

  it("name the places that were asked for", async () => {
    const home = sshd().hostHome;
    expect((await ask({}, "~/my jobs")).jobDir).toBe(join(home, "my jobs"));
    expect((await ask({}, "/scratch/jobs")).jobDir).toBe("/scratch/jobs");
    writeStartFile("export SORTIE_HOME=/elsewhere");
    expect((await ask()).jobDir).toBe("/elsewhere/jobs");
    writeStartFile();
  });

  it("tell what is missing, by path or by the folder of a pattern", async () => {
    const folder = makeHostFolder(sshd());
    mkdirSync(join(folder, "data/raw"), { recursive: true });
    const inputs = [
      "data",
      "data/raw/*.csv",
      "gone",
      "gone/*.csv",
      "~/no such",
      `${folder}/data`,
      "s3://x/y",
      "*",
    ];
    const { missing, isFolderThere } = await ask({ folder, inputs });
    expect({ missing, isFolderThere }).toEqual({
      missing: ["gone", "gone/*.csv", "~/no such"],
      isFolderThere: true,
    });
  });

  it("hold what the login shell prints apart, and a clock that is hours off", async () => {
    writePrograms({
      date: 'case "$*" in +%s) echo $(($(/bin/date +%s) - 10800)) ;; *) exec /bin/date "$@" ;; esac',
    });
    execFileSync("sh", ["-c", `echo 'echo "  Welcome to the  cluster"; echo; printf begin=' >>.bashrc`], {
      cwd: sshd().hostHome,
    });
    const { server } = await ask();
    writeStartFile();
    expect(server?.banner).toBe("Welcome to the  cluster");
    expect(server?.clockSkewS).toBeGreaterThan(-10_840);
    expect(server?.clockSkewS).toBeLessThan(-10_700);
  });

  it("say where nothing can be written, for the nearest folder that is there", async () => {
    const account = sshd().makeAccount("bash");
    const target = makeSshTestTarget(sshd(), { host: account.host, jobDir: "/usr/share/sortie/jobs" });
    const { server } = await target.preflight(LOOK);
    expect(server).toMatchObject({
      unwritable: ["/usr/share/sortie/jobs"],
      loginShell: expect.stringMatching(/bash$/),
    });
  });

  it("ask git about the code folder where that is wanted", async () => {
    const folder = makeHostFolder(sshd());
    execFileSync("git", ["init", "-q", folder]);
    const { server } = await ask({ folder, codeDir: folder, asksGit: true });
    expect(server?.checkout).toContainEqual(["git_state", "checkout"]);
  });
});

it("live runs in the code folder are told, ended ones and those in a copy of it are not", async () => {
  const folder = makeHostFolder(sshd());
  const codeDir = join(folder, "code");
  const target = makeSshTestTarget(sshd());
  const start = async (meta: object, command = "sleep 300") => {
    const made = makeTestJob(folder, { command: ["sh", "-c", command], target });
    const job = { ...made.job, meta };
    await target.launch(job, {});
    await waitFor(async () => (await made.judge()).state !== "preparing");
    return made;
  };
  const below = await start({ remote: { codeDir, folder: join(codeDir, "sub") } });
  const other = await start({ remote: { codeDir: `${codeDir}2` } });
  const frozen = await start({ remote: { codeDir } });
  mkdirSync(join(frozen.files.folder, "code"));
  const ended = await start({ remote: { codeDir } }, "true");
  await ended.waitForEnd();
  const { server } = await ask({ folder: codeDir, codeDir }, join(folder, "jobs"));
  expect(server?.liveRuns).toEqual([below.job.supervisor.runId]);
  for (const job of [below, other, frozen]) await stop(job);
});

async function stop({ target, job: { supervisor } }: TestJob) {
  const handle = { id: supervisor.runId, jobFolder: supervisor.jobFolder, attempt: 1 };
  await target.stop(handle, { graceS: 1, by: "the test" });
}

describe("an environment", () => {
  const research = { kind: "conda", name: "research", conda: null, script: null } as const;

  it.each([
    ["of a login", ".bash_profile", ""],
    ["of a terminal, as `conda init` leaves it", ".bashrc", "case $- in *i*) ;; *) return ;; esac"],
  ])("L5 conda is found where only the start files %s know it", async (_, file, guard) => {
    const program = makeFakeConda(join(makeHostFolder(sshd()), "conda"), ["research"]);
    const words = `echo "Welcome"\nexport PATH="${program.replace(/\/conda$/, "").replaceAll('"', '\\"')}:$PATH"`;
    writeStartFile();
    writeFileSync(join(sshd().hostHome, file), `${guard}\n${words}\n`);
    const { environment } = await ask({ environment: research });
    expect(environment?.activation.lines[0]).toContain("/bin/conda");
    expect(environment?.python).toMatchObject({
      path: expect.stringMatching(/envs\/research\/bin\/python$/),
      version: expect.stringMatching(/^3\./),
    });
    writeFileSync(join(sshd().hostHome, file), "");
  });

  it("L5 conda is found where only the start file of another login shell knows it", async () => {
    const account = sshd().makeAccount("fish");
    const program = makeFakeConda(join(account.home, "conda"), ["research"]);
    const config = join(account.home, ".config/fish/config.fish");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, `if status is-interactive\n  set -gx CONDA_EXE ${program}\nend\n`);
    const target = makeSshTestTarget(sshd(), { host: account.host });
    const { environment } = await target.preflight({ ...LOOK, environment: research });
    expect(environment?.activation.lines[0]).toContain(program);
  });

  it("L5 without conda it is refused, before anything is taken", async () => {
    await expect(ask({ environment: research })).rejects.toMatchObject({
      code: "environment_missing",
      message: expect.stringContaining("conda was not found"),
    });
  });

  it("L5 one that conda does not have is refused in conda's words", async () => {
    const conda = makeFakeConda(join(sshd().hostHome, "my conda"), ["other"]);
    expect(conda).toContain("my conda");
    const environment = { ...research, conda: "~/my conda/bin/conda" };
    await expect(ask({ environment })).rejects.toMatchObject({
      code: "environment_missing",
      message: expect.stringContaining("Could not find conda environment: research"),
    });
    const found = await ask({ environment: { ...environment, name: "other" } });
    expect(found.environment?.activation.lines[0]).toContain(`"$HOME"/'my conda/bin/conda'`);
  });

  it("from `~/` is entered there, and its own Python is looked at, never run", async () => {
    const bin = join(sshd().hostHome, "code/.venv/bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(findTool("python3") as string, join(bin, "python"));
    writeFileSync(join(bin, "../pyvenv.cfg"), "version = 3.99.1\n");
    const environment = { kind: "venv", path: "~/code/.venv", madeBy: "venv" } as const;
    const { environment: checked } = await ask({ environment, project: ["~/code"], folder: "~/code" });
    expect(checked?.python).toEqual({ path: join(bin, "python"), version: "3.99.1" });
    expect(checked?.activation.lines[0]).toBe('export VIRTUAL_ENV="$HOME"/code/.venv');
  });

  it("is told by the last line that its own lines said", async () => {
    const environment = {
      kind: "shell",
      text: "echo talk; echo 'no such module' >&2; exit 3",
      conda: null,
    } as const;
    await expect(ask({ environment })).rejects.toMatchObject({ details: { reason: "no such module" } });
  });
});
