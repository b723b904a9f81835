import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeTestJob, type TestJob } from "../../../test/support/job.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { findShells, linkTools } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { SortieError } from "../../base/error.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { makeManifest } from "../../sync/send/manifest.ts";
import { makePathList, makeSendList, type SendFile } from "../../sync/send/send-list.ts";
import type { Job } from "../target.ts";
import type { HostRunner } from "./ask-host.ts";
import { makeSshTarget } from "./ssh-target.ts";

const folder = useTempFolder();
const local = makeLocalRunner();
let env: Record<string, string | undefined>;

beforeEach(() => {
  env = { ...process.env, HOME: folder(), SORTIE_HOST_ROOT: join(folder(), "root") };
});

/** A host without a network between: its `sh` is another shell. */
function makeShellRunner(shell: string): HostRunner {
  return {
    host: shell,
    run: ([, ...words], options) => local.run([...shell.split(" "), ...words], { ...options, env }),
    explain: ({ stdout, stderr }) => new SortieError("internal", { reason: `${stdout}\n${stderr}` }),
    rsync: async () => undefined,
  };
}

function makeTarget(shell: string) {
  return makeSshTarget({ runner: makeShellRunner(shell), jobDir: null, freeMemoryMiB: 500 });
}

const look = {
  ...{ environment: null, command: ["python"], folder: "~", project: [], inputs: [], gpus: false },
};

/** A file of the host's system. */
function writeSystemFile(path: string, text = "") {
  mkdirSync(dirname(join(folder(), "root", path)), { recursive: true });
  writeFileSync(join(folder(), "root", path), text);
}

describe.each(findShells())("under %s", (shell) => {
  it("a run comes to its end", async () => {
    const target = makeTarget(shell);
    const job = makeTestJob(folder(), { target, command: ["sh", "-c", "echo done; exit 3"] });
    const { server } = await target.preflight({ ...look, inputs: ["gone"], gpus: true });
    expect(server).toMatchObject({ home: folder(), killsAtLogout: null });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "failed", exitCode: 3 });
    const log = target.openFile(job.files.log);
    expect(Buffer.from(await log.read(1, await log.size())).toString()).toBe("one\n");
    expect(statSync(job.files.folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(job.files.folder).map(
      (name) => statSync(join(job.files.folder, name)).mode & 0o777,
    );
    expect(new Set(modes)).toEqual(new Set([0o600]));
    await waitUntilQuiet();
    const handle = { id: job.job.supervisor.runId, jobFolder: job.files.folder, attempt: 1 };
    expect(await target.close(handle)).toBe(false);
    await target.tidy(handle);
    await target.removeFolder(handle);
    expect(existsSync(job.files.folder)).toBe(false);
  });

  it("a run starts in a copy of exactly the code that was sent", async () => {
    const name = Buffer.from("odd\\name\n\xff.py", "latin1");
    const { job } = makeSentJob(shell, name);
    expect(await job.target.launch(job.job, {})).toMatchObject({ heldBy: null });
    expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
    expect(readdirSync(join(job.files.folder, "code"), "latin1")).toContain("odd\\name\n\xff.py");
    expect(readdirSync(job.files.folder)).not.toContain("sent");
    const { job: other, code } = makeSentJob(shell, name, "other");
    writeFileSync(join(code, "train.sh"), "changed");
    const reason = "train.sh differs";
    await expect(other.target.launch(other.job, {})).rejects.toMatchObject({
      code: "sync_damaged",
      details: { reason },
    });
    expect(existsSync(other.files.pid)).toBe(false);
    await waitUntilQuiet();
  });

  it("what a disk has no room for is told, and nothing half is left", async () => {
    const disk = join(folder(), "disk");
    mkdirSync(disk);
    await local.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { timeoutMs: 5000 });
    try {
      const job = makeTestJob(disk, { target: makeTarget(shell), command: ["true"] });
      const filled = { ...job.job, meta: "x".repeat(100_000) };
      await expect(job.target.launch(filled, {})).rejects.toMatchObject({ code: "launch_refused" });
      expect(existsSync(job.files.meta)).toBe(false);
      expect(readdirSync(job.files.folder).filter((name) => /new|launching/.test(name))).toEqual([]);
    } finally {
      await local.run(["umount", disk], { timeoutMs: 5000 });
    }
  });
});

it.each<[string, string | null, Record<string, string>]>([
  ["nothing", null, {}],
  ["no, as it was built", null, { "etc/systemd/logind.conf": "[Login]\n#KillUserProcesses=no\n" }],
  [
    "yes, as it was built",
    "no_way_round",
    { "etc/systemd/logind.conf": "#KillUserProcesses=yes\n#KillExcludeUsers=\nKillExcludeUsers=nobody\n" },
  ],
  [
    "yes, in a part",
    "no_way_round",
    {
      "etc/systemd/logind.conf": "KillUserProcesses=no\nKillExcludeUsers=nobody\n",
      "etc/systemd/logind.conf.d/50-kill.conf": "[Login]\n  KillUserProcesses = yes\n",
      "usr/lib/systemd/logind.conf.d/20-not.conf": "KillUserProcesses=no\n",
    },
  ],
  [
    "yes, but not for this person",
    null,
    { "usr/lib/systemd/logind.conf": "KillUserProcesses=yes\nKillOnlyUsers=anna\n" },
  ],
])("where logind says %s", async (_, expected, files) => {
  mkdirSync(join(folder(), "root/run/systemd/system"), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeSystemFile(path, text);
  const { server } = await makeTarget("busybox sh").preflight(look);
  expect(server?.killsAtLogout).toBe(expected);
});

it("a host that ends everything at logout gets the run in a scope of its own", async () => {
  mkdirSync(join(folder(), "root/run/systemd/system"), { recursive: true });
  writeSystemFile("etc/systemd/logind.conf", "KillUserProcesses=yes\nKillExcludeUsers=nobody\n");
  writeSystemFile(`var/lib/systemd/linger/${userInfo().username}`);
  writeSystemFile(`run/user/${userInfo().uid}/bus`);
  const bin = join(folder(), "bin");
  mkdirSync(bin);
  const words = join(folder(), "words");
  writeFileSync(
    join(bin, "systemd-run"),
    `#!/bin/sh\necho "$* at $XDG_RUNTIME_DIR" >'${words.replaceAll("'", `'\\''`)}'\nshift 4\nexec "$@"\n`,
  );
  chmodSync(join(bin, "systemd-run"), 0o755);
  env["PATH"] = `${bin}:${env["PATH"]}`;
  delete env["XDG_RUNTIME_DIR"];
  const target = makeTarget("sh");
  expect((await target.preflight(look)).server?.killsAtLogout).toBe("scope");
  const job = makeTestJob(folder(), { target, command: ["true"] });
  await job.start();
  expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
  expect(readFileSync(words, "utf8")).toMatch(/^--user --scope --quiet -- sh -s at .*\/run\/user\/\d+\n$/);
  await waitUntilQuiet();
});

it("a host that lacks the tool for it does not start what it cannot check", async () => {
  const { job } = makeSentJob("/bin/sh", Buffer.from("a.py"));
  const tools = [
    "sh",
    "cat",
    "sed",
    "awk",
    "grep",
    "sort",
    "tr",
    "wc",
    "date",
    "ln",
    "mv",
    "rm",
    "mkdir",
    "sleep",
    "id",
  ];
  env["PATH"] = linkTools(join(folder(), "tools"), tools);
  await expect(job.target.launch(job.job, {})).rejects.toMatchObject({ code: "tool_missing" });
});

/** A job whose code is one program and one more file, as they were sent. */
function makeSentJob(shell: string, name: Buffer, place = "code") {
  const code = join(folder(), place);
  mkdirSync(code);
  const files = [
    { name: Buffer.from("train.sh"), text: "exit 0\n" },
    { name, text: "" },
  ];
  for (const file of files) writeFileSync(Buffer.concat([Buffer.from(`${code}/`), file.name]), file.text);
  const list = makeSendList(code, files.map(describeFile));
  const sent = {
    codeDir: code,
    commit: null,
    manifest: makeManifest(list),
    freeze: { list: makePathList(list), without: [] },
  };
  const made = makeTestJob(folder(), { target: makeTarget(shell), command: ["sh", "train.sh"] });
  const job: Job = {
    ...made.job,
    sent,
    jobScript: made.job.jobScript.replace(/^cd .*$/m, 'cd "$SORTIE_RUN_DIR/code" || exit'),
  };
  return { job: { ...made, job } satisfies TestJob, code };
}

function describeFile({ name, text }: { name: Buffer; text: string }): SendFile {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { path: name, bytes: text.length, mode: 0o644, link: null, sha256 };
}

function waitUntilQuiet() {
  return waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });
}
