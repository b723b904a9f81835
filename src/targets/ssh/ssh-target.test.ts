import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTestJob } from "../../../test/support/job.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { makeSshRunner } from "../../process/ssh/ssh-runner.ts";
import { makeSshTarget } from "./ssh-target.ts";

const sshd = useSshd();

function makeTarget(jobDir: string | null = null) {
  const { host, socketFolder, configFile } = sshd();
  const runner = makeSshRunner(host, {
    ...{ env: process.env, socketFolder, configFile, pinsFile: join(socketFolder, "pins") },
  });
  return makeSshTarget({ runner, jobDir, freeMemoryMiB: 500 });
}

it("a run starts, is looked at, and ends", async () => {
  const target = makeTarget();
  const folder = join(sshd().hostHome, 'it\'s "x"');
  mkdirSync(folder);
  const job = makeTestJob(folder, { command: ["sh", "-c", "echo hello; sleep 300"] });
  const handle = { id: job.job.supervisor.runId, jobFolder: job.files.folder, attempt: 1 };
  await target.launch(job.job, {});
  const { answer } = await target.watchStart(handle, { watchMs: 200, gpus: false });
  expect(answer?.runs.get(handle.id)).toMatchObject({ commandAlive: true, logBytes: 6 });
  expect(await target.stop(handle, { graceS: 2, by: "the test" })).toEqual({ survivors: [] });
});
