import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeTestJob, type TestJob } from "../../../test/support/job.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { findWorkProcesses, makeHostFolder, makeSshTestTarget } from "../../../test/support/target-places.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { PreflightRequest } from "../target.ts";

const sshd = useSshd();
const shell = (text: string) => ["sh", "-c", text];

function handleOf({ job }: TestJob) {
  return { id: job.supervisor.runId, jobFolder: job.supervisor.jobFolder, attempt: job.attempt };
}

function makeJob(command: readonly string[]) {
  return makeTestJob(makeHostFolder(sshd()), { command, target: makeSshTestTarget(sshd()) });
}

describe("a launch whose connection is lost", () => {
  it("after the command was sent is told of the same run", async () => {
    const job = makeJob(shell("echo started; sleep 300"));
    await job.target.observe([]);
    const { proxy } = sshd();
    proxy.delay(500); // the answer is under way for so long
    const launch = job.target.launch(job.job, {});
    await waitFor(() => existsSync(job.files.log) && job.readLog() !== "", { what: "the start" });
    const supervisor = job.readPid("supervisor");
    proxy.cut();
    proxy.delay(0);
    expect((await launch).pid["supervisor"]).toBe(supervisor);
    await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    expect(job.readLog()).toBe("started\n");
    expect(readdirSync(job.files.folder).filter((name) => /launching|new/.test(name))).toEqual([]);
    await waitFor(() => findWorkProcesses().length === 0);
  });

  it.each([500, 10_000, 40_000])("after %i bytes of it starts once", async (bytes) => {
    const job = makeJob(shell("echo started; sleep 300"));
    await job.target.observe([]);
    sshd().proxy.cutAfter("up", bytes);
    await job.target.launch(job.job, {});
    await waitFor(() => existsSync(job.files.log) && job.readLog() !== "", { what: "the start" });
    await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    expect(job.readLog()).toBe("started\n");
    await waitFor(() => findWorkProcesses().length === 0);
  });

  it("waits for the first one, which still goes on", async () => {
    const job = makeJob(shell("echo started; sleep 300"));
    const both = await Promise.all([job.target.launch(job.job, {}), job.target.launch(job.job, {})]);
    expect(both[0]?.pid["supervisor"]).toBe(both[1]?.pid["supervisor"]);
    await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    await waitFor(() => findWorkProcesses().length === 0);
  });
});

it("a stop whose connection is lost in the grace time is asked for again", async () => {
  const job = makeJob(shell("trap '' TERM; echo up; while :; do sleep 0.05; done"));
  await job.start();
  await waitFor(() => existsSync(job.files.log) && job.readLog() !== "");
  const stop = job.target.stop(handleOf(job), { graceS: 2, by: "the test" });
  await waitFor(() => existsSync(job.files.stop));
  sshd().proxy.cut();
  expect(await stop).toEqual({ survivors: [] });
  expect(await job.judge()).toMatchObject({ state: "stopped", exitCode: 137 });
  expect(readFileSync(job.files.stop, "utf8")).toContain("by=the test");
});

const LOOK: PreflightRequest = {
  ...{ environment: null, command: ["python3"], folder: "~", project: [], inputs: [], gpus: false },
};

describe("the host key has changed", () => {
  it("L7 every question is refused with both fingerprints, and nothing is switched off", async () => {
    const target = makeSshTestTarget(sshd());
    const old = sshd().server.fingerprint;
    await target.observe([]);
    await sshd().server.swapHostKey();
    sshd().proxy.cut();
    const { fingerprint } = sshd().server;
    const run = { id: "r1", jobFolder: "/nowhere/r1", attempt: 1 };
    const questions = [
      () => target.preflight(LOOK),
      () => target.loadGpus({ python: null }),
      () => target.observe([run]),
      () => target.stop(run, { graceS: 1, by: "the test" }),
      () => target.close(run),
      () => target.openFile("/nowhere/log").size(),
      () => target.openFile("/nowhere/log").read(0, 1),
    ];
    for (const ask of questions) {
      const fault = expect.objectContaining({
        old: expect.stringContaining(old),
        new: expect.stringContaining(fingerprint),
      });
      await expect(ask()).rejects.toMatchObject({ code: "ssh_host_key_changed", details: fault });
    }
    expect(await target.watchStart(run, { watchMs: 1, gpus: true })).toEqual({ answer: null, gpus: null });
  });
});
