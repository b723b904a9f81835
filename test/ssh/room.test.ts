import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { canMount, useMounts } from "../support/mounts.ts";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);
const mounts = useMounts();
const MIB = 1024;
const COMMAND = ["sh", "-c", "echo ran; cat train.py >results.txt"];
const FLAGS = ["--gpus", "none", "--name", "mine"];

/** Takes all room that a file system has left. */
function fill(folder: string) {
  try {
    writeFileSync(join(folder, "full"), Buffer.alloc(64 * MIB * MIB));
  } catch {
    // there is no room left, which is what was wanted
  }
}

/** Takes all that a file system can still count of files, which are few. */
function fillWithFiles(folder: string) {
  mkdirSync(join(folder, "files"));
  try {
    for (let number = 0; number < 1000; number += 1) writeFileSync(join(folder, "files", `${number}`), "");
  } catch {
    // as above
  }
}

const codeDir = () => join(stage.temp(), "host code");
const jobDir = () => join(stage.temp(), "host jobs");

function writeProject(files: number) {
  const many = Array.from({ length: files }, (_, number) => [`f${number}.py`, "x"]);
  stage.write({ "train.py": "1".repeat(300_000), ...Object.fromEntries(many) });
  stage.writeSection([`- Code dir: \`${codeDir()}\``, `- job_dir: \`${jobDir()}\``]);
}

async function plan(): Promise<string> {
  const answer = await stage.ask(["run", ...FLAGS, "--", ...COMMAND]);
  if (!answer.plan) throw new Error(JSON.stringify(answer));
  return answer.plan.id;
}

const confirm = (id: string) => stage.ask(["confirm", id, "--detach"]);

/** What was refused is on record as not started, and the same command works once there is room. */
async function expectRefused(id: string, code: string, words: RegExp, makeRoom: () => void) {
  const refused = await confirm(id);
  expect(refused).toMatchObject({ exit: 5, error: { code, retryable: true } });
  expect(`${refused.error.message} ${refused.error.hint}`).toMatch(words);
  expect((await stage.ask(["ls"])).runs).toMatchObject([{ state: "failed", endReason: "launch_failed" }]);
  makeRoom();
  const { id: run } = await stage.launch(COMMAND, ["--name", "mine"]);
  expect(await stage.ask(["wait", run])).toMatchObject({ exit: 0, state: "succeeded" });
}

describe.runIf(canMount())("a host whose disk is full", () => {
  it("while the code is sent", async () => {
    mounts.mountSmall(codeDir(), 60 * MIB);
    writeProject(1);
    const id = await plan();
    fill(codeDir());
    await expectRefused(id, "sync_failed", /disk is full.*No space.*Free space in .*host code/s, () =>
      rmSync(join(codeDir(), "full")),
    );
  });

  it("of files while the code is sent; with too few of them there is no plan", async () => {
    mounts.mountSmall(codeDir(), 60 * MIB, 150);
    writeProject(100);
    const { error } = await stage.ask(["run", ...FLAGS, "--", ...COMMAND]);
    expect(error).toMatchObject({ code: "host_full", message: expect.stringMatching(/149 files more.*202/) });
    for (let number = 20; number < 100; number += 1) rmSync(join(stage.project(), `f${number}.py`));
    const id = await plan();
    fillWithFiles(codeDir());
    await expectRefused(id, "sync_failed", /disk is full.*No space/s, () =>
      rmSync(join(codeDir(), "files"), { recursive: true }),
    );
  });

  it("where its records should go: nothing is started, and that is sure", async () => {
    mounts.mountSmall(jobDir(), 60 * MIB, 150);
    writeProject(1);
    const id = await plan();
    fill(jobDir());
    await expectRefused(id, "launch_refused", /nothing was started.*free there: 0 KiB/, () =>
      rmSync(join(jobDir(), "full")),
    );
    const second = await plan();
    fillWithFiles(jobDir());
    const refused = await confirm(second);
    expect(refused.error).toMatchObject({
      code: "launch_refused",
      message: expect.stringMatching(/room for 0 more files/),
    });
  });

  it("while the run writes: its end is known all the same", async () => {
    mounts.mountSmall(jobDir(), 60 * MIB);
    writeProject(1);
    const write = 'echo begin; cat /dev/zero >"$1"; seq 1 9999; exit 3';
    const { id } = await stage.launch(["sh", "-c", write, "sh", join(jobDir(), "full")]);
    expect(await stage.ask(["wait", id])).toMatchObject({ exit: 1, state: "failed", exitCode: 3 });
    const { resultsFolder } = await stage.finish(id);
    expect(readFileSync(join(resultsFolder, "log"), "utf8")).toMatch(/^begin\n/);
  });
});

it.runIf(canMount())(
  "a disk that is full at home is told, and the command works once there is room",
  async () => {
    writeProject(1);
    const sockets = join(dirname(sshd().socketFolder), "r"); // short: sockets lie in it
    mounts.mountSmall(sockets, 60);
    const env = { XDG_RUNTIME_DIR: sockets };
    const id = await stage.ask(["run", ...FLAGS, "--", ...COMMAND], { env }).then(({ plan }) => plan.id);
    fill(sockets);
    const refused = await stage.ask(["confirm", id, "--detach"], { env });
    expect(refused).toMatchObject({ exit: 5, error: { retryable: true } });
    expect(`${refused.error.message} ${refused.error.hint}`).toMatch(/No space|ENOSPC|full/);
    rmSync(join(sockets, "full"));
    expect(readdirSync(sockets).filter((name) => name.startsWith("rsync-"))).toEqual([]);
    const again = await stage.start(COMMAND, [], { env });
    expect(again).toMatchObject({ exit: 0 });
  },
);
