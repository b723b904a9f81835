import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../../test/support/nginx.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { canMakeAccounts, writeStartFile } from "../../../test/support/sshd-accounts.ts";
import { explainSilence } from "./explain-silence.ts";
import type { SshHost } from "./ssh-host.ts";
import { makeSshRunner, type SshOptions } from "./ssh-runner.ts";

const sshd = useSshd();
const run = { stdin: "echo answer\n", timeoutMs: 20_000 };

function makeRunner(host: SshHost, more: Partial<SshOptions> = {}) {
  const { socketFolder, configFile } = sshd();
  const pinsFile = join(socketFolder, "pins");
  return makeSshRunner(host, { env: process.env, socketFolder, configFile, pinsFile, ...more });
}

async function explain(host: SshHost, more: Partial<SshOptions> = {}, options = run) {
  const runner = makeRunner(host, more);
  const outcome = await runner.run(["sh", "-s"], options);
  expect(outcome.stdout).not.toContain("answer");
  return runner.explain(outcome);
}

/** A configuration in which `box` is the same host, with these lines of it. */
function writeConfig(name: string, lines: string): string {
  const path = join(sshd().personHome, name);
  const place = `HostName 127.0.0.1\nPort ${sshd().port}\nIdentitiesOnly yes\nIdentityAgent none`;
  writeFileSync(path, `Host box\n${place}\nGlobalKnownHostsFile /dev/null\nControlMaster no\n${lines}\n`);
  return path;
}

describe("a host that is not reached (retryable)", () => {
  test("refuses its port", async () => {
    const port = await findFreePort();
    const error = await explain({ ...sshd().host, user: "ann", port });
    expect(error).toMatchObject({ code: "ssh_unreachable", retryable: true });
    expect(error.message).toContain(
      `ann@box:${port} cannot be reached: ssh: connect to host 127.0.0.1 port ${port}`,
    );
    expect(error.hint).toContain(`ssh -F ${sshd().configFile} -p ${port} ann@box`);
  });

  test("hangs up at once", async () => {
    sshd().proxy.onDial("reset");
    const error = await explain(sshd().host);
    sshd().proxy.onDial("pass");
    expect(error).toMatchObject({ code: "ssh_unreachable", message: expect.stringContaining("reset") });
  });

  test("takes the call and says nothing: the time limit holds", async () => {
    sshd().proxy.onDial("swallow");
    const error = await explain(sshd().host, {}, { ...run, timeoutMs: 500 });
    sshd().proxy.onDial("pass");
    expect(error).toMatchObject({ code: "ssh_unreachable", message: expect.stringContaining("time limit") });
  });

  test("has a name that nobody knows", async () => {
    const error = await explain(sshd().makeHost("no-such-host.invalid"));
    expect(error).toMatchObject({
      code: "ssh_unreachable",
      message: expect.stringMatching(/resolve|not known/),
    });
  });
});

describe("a jump host says why it does not let through", () => {
  beforeAll(async () => {
    await sshd().startJump();
  });

  test("the host behind it refuses its port", async () => {
    const error = await explain({ ...sshd().makeHost("inner"), port: await findFreePort() });
    expect(error).toMatchObject({
      code: "ssh_unreachable",
      message: expect.stringContaining("Connection refused"),
    });
  });

  test("its own key is not on record", async () => {
    sshd().addConfig(`Host unknown-jump\n HostName 127.0.0.1\n Port ${sshd().port}\n HostKeyAlias nobody`);
    const error = await explain({ ...sshd().host, options: ["-J", "unknown-jump"] });
    expect(error).toMatchObject({ code: "ssh_host_key_unknown" });
  });
});

test("a key that is refused needs the person, and nobody is asked for a password", async () => {
  const configFile = writeConfig(
    "other",
    `IdentityFile /no/such/key\nUserKnownHostsFile ${sshd().knownHostsFile}`,
  );
  const error = await explain(sshd().host, { configFile });
  expect(error).toMatchObject({ code: "ssh_auth_refused", hint: expect.stringContaining("ssh-add") });
  expect(error.message).toMatch(/no such identity: \/no\/such\/key.*Permission denied \(publickey\)\.$/);
});

test("a key behind a passphrase is not asked for, not even for a jump host", async () => {
  const { personHome, port, knownHostsFile } = sshd();
  const [key, asked, askpass] = ["locked", "asked", "askpass"].map((name) =>
    join(personHome, name),
  ) as string[];
  copyFileSync(join(personHome, ".ssh", "id_ed25519"), `${key}`);
  execFileSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", "a passphrase", "-f", `${key}`]);
  writeFileSync(`${askpass}`, `#!/bin/sh\ntouch ${asked}\n`, { mode: 0o755 });
  const lines = `IdentityFile ${key}\nUserKnownHostsFile ${knownHostsFile}`;
  const configFile = writeConfig(
    "locked-config",
    `${lines}\nHost gate\nHostName 127.0.0.1\nPort ${port}\n${lines}`,
  );
  const env = { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: "force", DISPLAY: ":0" };
  const error = await explain({ ...sshd().host, options: ["-J", "gate"] }, { configFile, env });
  expect(error).toMatchObject({ code: "ssh_auth_refused" });
  expect(existsSync(`${asked}`)).toBe(false);
});

describe("a key that is not on record", () => {
  test.each(["ask", "yes"])("is not taken, where checking is set to %s", async (checking) => {
    const key = `IdentityFile ${sshd().personHome}/.ssh/id_ed25519`;
    const configFile = writeConfig(
      "unknown",
      `${key}\nUserKnownHostsFile /dev/null\nStrictHostKeyChecking ${checking}`,
    );
    const error = await explain(sshd().host, { configFile });
    expect(error).toMatchObject({
      code: "ssh_host_key_unknown",
      hint: expect.stringContaining("logging in once"),
    });
  });

  test("is kept at the first use where the person trusted the host, in a file of our own", async () => {
    const configFile = writeConfig("pinned", `IdentityFile ${sshd().personHome}/.ssh/id_ed25519`);
    const [pinsFile, person] = [join(sshd().personHome, "our pins"), join(sshd().personHome, "none")];
    const more = { configFile, pinsFile, knownHostsFiles: [person] };
    const outcome = await makeRunner({ ...sshd().host, pinsKeys: true }, more).run(["sh", "-s"], run);
    expect(outcome).toMatchObject({ stdout: "answer\n", exitCode: 0 });
    expect([existsSync(pinsFile), existsSync(person)]).toEqual([true, false]);
  });
});

test("ssh is not here", async () => {
  const error = await explain(sshd().host, { env: { PATH: sshd().personHome } });
  expect(error).toMatchObject({ code: "ssh_missing", message: expect.stringContaining("ENOENT") });
});

test("a configuration that ssh cannot read", async () => {
  const error = await explain(sshd().host, { configFile: writeConfig("bad", "NoSuchOption yes") });
  expect(error).toMatchObject({ code: "ssh_config_bad", message: expect.stringContaining("nosuchoption") });
});

describe.skipIf(!canMakeAccounts())("start files of the login shell", () => {
  test.each([
    ["bash", ".bashrc", "exit 0", /printed nothing and ended with 0/],
    ["bash", ".bashrc", "echo Welcome; exec true", /printed `Welcome` and ended with 0/],
    ["tcsh", ".cshrc", "exec sh -c 'exit 3'", /printed nothing and ended with 3/],
    ["fish", ".config/fish/config.fish", "exec sh -c 'exit 4'", /printed nothing and ended with 4/],
  ] as const)("of %s: %s ends by `%s`", async (shell, file, line, said) => {
    const { host, home } = sshd().makeAccount(shell);
    writeStartFile(home, file, line);
    const error = await explain(host);
    expect(error).toMatchObject({ code: "ssh_shell_silent", message: expect.stringMatching(said) });
    expect(error.hint).toContain(`~/${file}`);
  });

  test("a talkative one does no harm to an answer between marks (L3)", async () => {
    const { host, home } = sshd().makeAccount("bash");
    sshd().server.setBanner("* * * WELCOME * * *\n");
    writeStartFile(home, ".bashrc", "echo begin; echo noise >&2");
    const outcome = await makeRunner(host).run(["sh", "-s"], run);
    const refused = await explain({ ...host, user: "nobody-here" });
    sshd().server.setBanner(null);
    expect(refused.message).toMatch(/: nobody-here@127\.0\.0\.1: Permission denied \(publickey\)\.$/);
    expect(outcome).toMatchObject({ stdout: "begin\nanswer\n", exitCode: 0 });
    expect(outcome.stderr).toContain("WELCOME");
  });
});

// The last one: from here on, the host has another key.
test("L7: a host key that changed stops everything, with both fingerprints, and checking is never turned off", async () => {
  const before = sshd().server.fingerprint;
  await sshd().server.swapHostKey();
  sshd().proxy.cut();
  const pinsFile = join(sshd().socketFolder, "pins-before");
  appendFileSync(pinsFile, "");
  for (const host of [sshd().host, { ...sshd().host, pinsKeys: true }]) {
    const error = await explain(host, { pinsFile, knownHostsFiles: [sshd().knownHostsFile] });
    expect(error).toMatchObject({ code: "ssh_host_key_changed", retryable: false });
    expect(error.message).toContain(`On record (${sshd().knownHostsFile}:1): ${before} (ED25519)`);
    expect(error.message).toContain(`Shown now: ${sshd().server.fingerprint} (ED25519).`);
    expect(error.hint).toContain(`ssh-keygen -f ${sshd().knownHostsFile} -R '[127.0.0.1]:${sshd().port}'`);
  }
});

test("words that no ssh says are a lost connection", () => {
  const outcome = { exitCode: 255, signal: null, stdout: "", stderr: "", timedOut: false, notStarted: false };
  expect(explainSilence(outcome, sshd().host)).toMatchObject({ code: "ssh_lost", retryable: true });
});
