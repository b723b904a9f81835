import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMount, useMounts } from "../../../test/support/mounts.ts";
import { findFreePort } from "../../../test/support/nginx.ts";
import { linkTools } from "../../../test/support/shells.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { canMakeAccounts, writeStartFile } from "../../../test/support/sshd-accounts.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { RsyncProgress, RsyncRequest } from "./rsync.ts";
import type { SshHost } from "./ssh-host.ts";
import { makeSshRunner, type SshOptions } from "./ssh-runner.ts";

const sshd = useSshd();
const folder = useTempFolder();
const ODD = ["a b", "it's", `"q"`, "$HOME", "-n", "a\nb", "*?[x]", "é 🚀", "a\\b", "~", "!x"];

function makeRunner(host: SshHost = sshd().host, more: Partial<SshOptions> = {}) {
  const { socketFolder, configFile } = sshd();
  return makeSshRunner(host, { env: process.env, socketFolder, configFile, pinsFile: "/dev/null", ...more });
}

/** At home it is `home` below the test's folder; on the host whatever is asked for. */
function send(more: Partial<RsyncRequest> = {}, runner = makeRunner()) {
  const request = {
    direction: "send",
    folder: atHome(),
    remoteFolder: "~/code",
    filesFrom: ["file"],
  } as const;
  return runner.rsync({ ...request, timeoutMs: 30_000, ...more });
}

const atHome = (name = "") => join(folder(), "home", name);
/** Compared as buffers: vitest's own comparison of long ones takes seconds. */
const isSame = (path: string) => readFileSync(path).equals(readFileSync(atHome("file")));
function write(name: string, content: string | Buffer = name) {
  mkdirSync(dirname(atHome(name)), { recursive: true });
  writeFileSync(atHome(name), content);
}

describe("what is sent", () => {
  test("arrives as it is: odd names and folders, modes, times and links; nothing else is sent or deleted", async () => {
    for (const name of [...ODD, "unnamed"]) write(`pkg ${name}/${name}`);
    chmodSync(atHome("pkg -n/-n"), 0o755);
    utimesSync(atHome("pkg ~/~"), 1e9, 1e9);
    symlinkSync("no/such", atHome("link"));
    const bytes = Buffer.from([0x66, 0xff, 0x66]);
    writeFileSync(Buffer.concat([Buffer.from(`${atHome()}/`), bytes]), "bytes");
    const remoteFolder = join(folder(), `it's "the" $HOME\n`, "-x", "code");
    mkdirSync(remoteFolder, { recursive: true });
    writeFileSync(join(remoteFolder, "theirs"), "kept");

    await send({ remoteFolder, filesFrom: [...ODD.map((name) => `pkg ${name}/${name}`), "link", bytes] });
    for (const name of ODD)
      expect(readFileSync(join(remoteFolder, `pkg ${name}`, name), "utf8")).toBe(`pkg ${name}/${name}`);
    expect(statSync(join(remoteFolder, "pkg -n/-n")).mode & 0o777).toBe(0o755);
    expect(statSync(join(remoteFolder, "pkg ~/~")).mtimeMs).toBe(1e12);
    expect(readlinkSync(join(remoteFolder, "link"))).toBe("no/such");
    expect(readFileSync(Buffer.concat([Buffer.from(join(remoteFolder, "/")), bytes]), "utf8")).toBe("bytes");
    expect(existsSync(join(remoteFolder, "pkg unnamed"))).toBe(false);
    expect(readFileSync(join(remoteFolder, "theirs"), "utf8")).toBe("kept");
  });

  test("never takes the place of a link to a folder: it goes through, or says that it does not", async () => {
    write("data/file");
    const remoteFolder = join(folder(), "code");
    for (const name of ["code", "elsewhere"]) mkdirSync(join(folder(), name));
    symlinkSync("../elsewhere", join(remoteFolder, "data"));
    const fault = await send({ remoteFolder, filesFrom: ["data/file"] }).catch((error) => error);
    expect(lstatSync(join(remoteFolder, "data")).isSymbolicLink()).toBe(true);
    const hasCome = existsSync(join(folder(), "elsewhere", "file"));
    expect(hasCome || fault.message).toEqual(hasCome || expect.stringContaining("a folder is a link there"));
  });

  test("goes to the home folder there, is told of as it goes, and nothing of ours is left in the socket folder", async () => {
    write("file", randomBytes(3_000_000));
    const told: RsyncProgress[] = [];
    await send({ remoteFolder: "~/deep er/code", onProgress: (progress) => told.push(progress) });
    expect(isSame(join(sshd().hostHome, "deep er", "code", "file"))).toBe(true);
    expect(told.at(-1)).toEqual({ bytes: 3_000_000, percent: 100 });
    expect(readdirSync(sshd().socketFolder).filter((name) => name.startsWith("rsync-"))).toEqual([]);
  });
});

test("files are fetched in the same way", async () => {
  const remoteFolder = join(folder(), "on the host");
  mkdirSync(join(remoteFolder, "out"), { recursive: true });
  for (const name of ODD) writeFileSync(join(remoteFolder, "out", name), name);
  await send({ direction: "fetch", remoteFolder, filesFrom: ODD.map((name) => `out/${name}`) });
  expect(readdirSync(atHome("out")).sort()).toEqual([...ODD].sort());
});

describe.skipIf(!canMakeAccounts())(
  "L3: start files that talk, and a banner, do no harm to a transfer",
  () => {
    test.each([
      ["bash", ".bashrc"],
      ["fish", ".config/fish/config.fish"],
      ["tcsh", ".cshrc"],
    ] as const)("to %s", async (shell, file) => {
      const { host, home } = sshd().makeAccount(shell);
      writeStartFile(home, file, "echo Welcome to the machine; printf 'no newline'");
      sshd().server.setBanner("* * *\n");
      write("file");
      await send({ filesFrom: ["file"] }, makeRunner(host));
      sshd().server.setBanner(null);
      expect(readFileSync(join(home, "code", "file"), "utf8")).toBe("file");
    });
  },
);

describe("a transfer that fails says why", () => {
  test.skipIf(!canMakeAccounts())("the shell of the host ends at once", async () => {
    const { host, home } = sshd().makeAccount("bash");
    writeStartFile(home, ".bashrc", "exit 0");
    write("file");
    await expect(send({}, makeRunner(host))).rejects.toMatchObject({ code: "ssh_shell_silent" });
  });

  test("the host is out of reach", async () => {
    write("file");
    const runner = makeRunner({ ...sshd().host, port: await findFreePort() });
    const fault = { code: "ssh_unreachable", message: expect.stringContaining("Connection refused") };
    await expect(send({}, runner)).rejects.toMatchObject(fault);
  });

  test("a file stands where the folder should be", async () => {
    write("file");
    writeFileSync(join(folder(), "taken"), "");
    const message = expect.stringMatching(/taken cannot be entered there \(.*(?:exists|Not a directory)/);
    await expect(send({ remoteFolder: join(folder(), "taken") })).rejects.toMatchObject({
      code: "sync_failed",
      message,
    });
  });

  test("a file is gone", async () => {
    write("file");
    const message = expect.stringMatching(/"?.*no-such.*" failed: No such file or directory/);
    await expect(send({ filesFrom: ["file", "no-such"] })).rejects.toMatchObject({
      code: "sync_failed",
      message,
    });
  });

  test("there is no rsync on the host", async () => {
    write("file");
    const path = linkTools(join(sshd().hostHome, "few"), ["sh", "mkdir", "printf", "tr"]);
    writeFileSync(join(sshd().hostHome, ".bashrc"), `PATH=${path}\n`);
    const fault = { code: "sync_failed", message: expect.stringContaining("no rsync on the host") };
    const failed = await send().catch((error) => error);
    writeFileSync(join(sshd().hostHome, ".bashrc"), "");
    expect(failed).toMatchObject(fault);
  });

  test("there is none here", async () => {
    write("file");
    const runner = makeRunner(sshd().host, { env: { PATH: folder() } });
    const message = expect.stringContaining("no rsync on this machine");
    await expect(send({}, runner)).rejects.toMatchObject({ code: "sync_failed", message });
  });

  describe.skipIf(!canMount())("with a disk that is full", () => {
    const { mountSmall } = useMounts();
    test("on the host", async () => {
      write("file", randomBytes(3_000_000));
      mountSmall(join(folder(), "small"), 1024);
      const fault = {
        code: "sync_failed",
        message: expect.stringContaining("No space left"),
        hint: expect.stringContaining("small"),
      };
      await expect(send({ remoteFolder: join(folder(), "small") })).rejects.toMatchObject(fault);
    });
  });
});

describe("a transfer that is cut off", () => {
  test("goes on from where it was, in the next call", async () => {
    write("file", randomBytes(6_000_000));
    sshd().proxy.cutAfter("up", 4_000_000);
    const told: number[] = [];
    const fault = await send({ remoteFolder: "~/cut" }).catch((error) => error);
    expect(fault).toMatchObject({ code: "ssh_lost", retryable: true });
    const kept = join(sshd().hostHome, "cut", ".sortie-partial", "file");
    await waitFor(() => existsSync(kept), { what: "the part that has come" });
    const before = sshd().proxy.passed.up;
    await send({ remoteFolder: "~/cut", onProgress: ({ bytes }) => told.push(bytes) });
    expect(sshd().proxy.passed.up - before).toBeLessThan(5_000_000);
    expect(isSame(join(sshd().hostHome, "cut", "file"))).toBe(true);
    expect(existsSync(dirname(kept))).toBe(false);
  });

  test("by an abort ends at once, and leaves no process here", async () => {
    write("file", randomBytes(4_000_000));
    const aborter = new AbortController();
    sshd().proxy.throttle(200_000);
    const sending = send({ remoteFolder: "~/aborted", signal: aborter.signal }).catch((error) => error);
    await waitFor(() => existsSync(join(sshd().hostHome, "aborted")), { what: "the begin of it" });
    aborter.abort();
    expect(await sending).toMatchObject({ code: "sync_failed", message: expect.stringContaining("stopped") });
    sshd().proxy.throttle(0);
    sshd().proxy.cut();
  });
});
