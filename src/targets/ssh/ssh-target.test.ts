import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTestJob, type TestJob } from "../../../test/support/job.ts";
import { type TestSshd, useSshd } from "../../../test/support/sshd.ts";
import { findWorkProcesses, makeHostFolder, makeSshTestTarget } from "../../../test/support/target-places.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { PreflightRequest } from "../target.ts";

const sshd = useSshd();
const shell = (text: string) => ["sh", "-c", text];
const LOOK: PreflightRequest = {
  ...{ environment: { kind: "caller" }, command: ["python3"], folder: "~", project: [] },
  ...{ inputs: [], gpus: true },
};

function handleOf({ job }: TestJob) {
  return { id: job.supervisor.runId, jobFolder: job.supervisor.jobFolder, attempt: job.attempt };
}

function makeJob(command: readonly string[]) {
  return makeTestJob(makeHostFolder(sshd()), { command, target: makeSshTestTarget(sshd()) });
}

async function readAll({ target, files }: TestJob): Promise<string> {
  const log = target.openFile(files.log);
  return Buffer.from(await log.read(0, await log.size())).toString();
}

describe.each(["bash", "fish", "tcsh"] as const)("where %s is the login shell", (loginShell) => {
  let account: ReturnType<TestSshd["makeAccount"]>;

  it("L2 pre-flight, launch, logs and stop are as everywhere", async () => {
    account = sshd().makeAccount(loginShell);
    const target = makeSshTestTarget(sshd(), { host: account.host });
    const { jobDir, folder, server, environment } = await target.preflight(LOOK);
    expect({ jobDir, folder }).toEqual({ jobDir: join(account.home, ".sortie/jobs"), folder: account.home });
    expect(server).toMatchObject({ home: account.home, banner: null, unwritable: [] });
    expect(server?.loginShell).toMatch(new RegExp(`/${loginShell}$`));
    expect(environment?.python?.path).toMatch(/python/);
    const job = makeTestJob(account.home, {
      ...{ target, session: "l2", command: shell("echo 'it''s' $0 *; sleep 300") },
    });
    expect(await job.start()).toMatchObject({ how: "screen", screenFault: null });
    const { answer } = await target.watchStart(handleOf(job), { watchMs: 200, gpus: false });
    expect(answer?.runs.get(job.job.supervisor.runId)).toMatchObject({ commandAlive: true });
    expect(await readAll(job)).toBe("its sh jobs\n");
    expect(await target.stop(handleOf(job), { graceS: 2, by: "the test" })).toEqual({ survivors: [] });
    expect(await job.judge()).toMatchObject({ state: "stopped", exitCode: 143 });
  });
});

describe("a file on the host", () => {
  it("is read by ranges, byte for byte", async () => {
    const folder = makeHostFolder(sshd());
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, place) => (place * 7 + (place >> 8)) & 255));
    writeFileSync(join(folder, "log"), bytes);
    const log = makeSshTestTarget(sshd()).openFile(join(folder, "log"));
    expect(await log.size()).toBe(70_000);
    expect(Buffer.from(await log.read(0, 100_000)).equals(bytes)).toBe(true);
    expect(Buffer.from(await log.read(65_000, 257)).equals(bytes.subarray(65_000, 65_257))).toBe(true);
    expect(await log.read(70_000, 10)).toHaveLength(0);
  });

  it("that is not there is empty", async () => {
    const log = makeSshTestTarget(sshd()).openFile(join(makeHostFolder(sshd()), "log"));
    expect([await log.size(), (await log.read(0, 10)).length]).toEqual([0, 0]);
  });
});

describe("the job folder of a run", () => {
  it("is closed once, and never after a start", async () => {
    const open = makeJob(shell("true"));
    expect(await open.target.close(handleOf(open))).toBe(true);
    expect(await open.target.close(handleOf(open))).toBe(false);
    const started = makeJob(shell("true"));
    await started.start();
    expect(await started.target.close(handleOf(started))).toBe(false);
    await waitFor(() => findWorkProcesses().length === 0);
  });

  it("is removed when it is known to be that run's", async () => {
    const job = makeJob(shell("true"));
    await job.start();
    await job.waitForEnd();
    const locked = join(job.files.folder, "code", "locked");
    mkdirSync(locked, { recursive: true });
    chmodSync(locked, 0o500);
    symlinkSync(sshd().hostHome, join(job.files.folder, "code", "link"));
    const strict = makeSshTestTarget(sshd(), { jobDir: "~/elsewhere" });
    await expect(strict.removeFolder(handleOf(job))).rejects.toMatchObject({ code: "folder_kept" });
    await job.target.removeFolder(handleOf(job));
    await job.target.removeFolder(handleOf(job));
    expect([existsSync(job.files.folder), existsSync(sshd().hostHome)]).toEqual([false, true]);
  });

  it.each([
    ["another's", "r2", "r1", ["file"]],
    ["not a run's", "r1", "r1", ["thesis.tex"]],
  ])("is left alone when it is %s", async (_, name, id, files) => {
    const jobFolder = join(makeHostFolder(sshd()), name);
    mkdirSync(jobFolder);
    for (const file of files) writeFileSync(join(jobFolder, file), "");
    const kept = makeSshTestTarget(sshd()).removeFolder({ id, jobFolder, attempt: 1 });
    await expect(kept).rejects.toMatchObject({ code: "folder_kept", exit: 5 });
    expect(readdirSync(jobFolder)).toEqual(files);
  });

  it("that cannot be made is told with the host's words", async () => {
    const job = makeJob(shell("true"));
    writeFileSync(dirname(job.files.folder), "");
    const reason = expect.stringMatching(/mkdir.*(exists|directory)/i);
    await expect(job.start()).rejects.toMatchObject({ code: "launch_refused", details: { reason } });
  });
});
