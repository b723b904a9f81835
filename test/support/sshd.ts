import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { SshHost } from "../../src/process/ssh/ssh-host.ts";
import { type LinkProxy, startLinkProxy } from "./link-proxy.ts";
import { findFreePort } from "./nginx.ts";
import { waitFor } from "./wait-for.ts";

/** A server: sshd wants to be started by its absolute path. */
const SSHD = "/usr/sbin/sshd";

/** Debian's OpenSSH server on loopback, as a host of the tests. Everything reaches it by way of a proxy that can cut. */
export interface TestSshd {
  /** The port of the proxy, which is what the ssh configuration names. */
  readonly port: number;
  readonly proxy: LinkProxy;
  /** `$HOME` of a person who knows the host as `box`, in `.ssh/config`. */
  readonly personHome: string;
  /** That configuration, for `-F`. */
  readonly configFile: string;
  /** `$HOME` of whoever logs in as `box`. */
  readonly hostHome: string;
  /** Short, private: for sockets. */
  readonly socketFolder: string;
  /** `box`, as Sortie is told of it. */
  readonly host: SshHost;
}

export function hasSshd(): boolean {
  return existsSync(SSHD);
}

/** One server for the test file or `describe`: `const sshd = useSshd();` beside the tests, `sshd()` inside them. */
export function useSshd(): () => TestSshd {
  let started: Awaited<ReturnType<typeof startSshd>> | undefined;
  beforeAll(async () => {
    started = await startSshd();
  });
  afterAll(async () => {
    await started?.stop();
  });
  return () => {
    if (!started) throw new Error("the ssh server has not been started");
    return started.sshd;
  };
}

async function startSshd() {
  const folder = mkdtempSync("/tmp/sortie-sshd-");
  chmodSync(folder, 0o711);
  const [personHome, hostHome, socketFolder] = ["me", "home", "s"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(personHome, ".ssh"), { recursive: true, mode: 0o700 });
  mkdirSync(hostHome);
  mkdirSync(socketFolder, { mode: 0o700 });
  makeKey(join(folder, "host_key"));
  makeKey(join(personHome, ".ssh", "id_ed25519"));
  writeFileSync(join(folder, "authorized_keys"), readFileSync(join(personHome, ".ssh", "id_ed25519.pub")), {
    mode: 0o644,
  });
  const ownPort = await findFreePort();
  writeFileSync(join(folder, "sshd_config"), makeServerConfig(folder, ownPort, hostHome));
  const server = await startServer(folder, ownPort);
  const proxy = await startLinkProxy(ownPort);
  const configFile = join(personHome, ".ssh", "config");
  const hostKey = readFileSync(join(folder, "host_key.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  writeFileSync(join(personHome, ".ssh", "known_hosts"), `[127.0.0.1]:${proxy.port} ${hostKey}\n`);
  writeFileSync(configFile, makePersonConfig(personHome, proxy.port));

  const host: SshHost = { destination: "box", user: null, port: null, options: [], pinsKeys: false };
  return {
    sshd: { port: proxy.port, proxy, personHome, configFile, hostHome, socketFolder, host },
    stop: async () => {
      await proxy.close(); // cuts every connection: the shared ones of ssh end by it
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function makeKey(path: string) {
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path]);
}

/** What runs on "the host" carries the mark of this test file's processes, so that the leak check sees it. */
function makeServerConfig(folder: string, port: number, hostHome: string): string {
  const mark = `SORTIE_TEST_FILE=${process.env["SORTIE_TEST_FILE"]}`;
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host_key
PidFile none
AuthorizedKeysFile ${folder}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UseDNS no
PrintMotd no
PrintLastLog no
MaxStartups 100:30:200
SetEnv HOME=${hostHome} ${mark}
`;
}

/** As a person has it; the key exchange is the quickest one. */
function makePersonConfig(personHome: string, port: number): string {
  return `Host box
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}

Host *
  IdentityFile ${personHome}/.ssh/id_ed25519
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${personHome}/.ssh/known_hosts
  GlobalKnownHostsFile /dev/null
  KexAlgorithms curve25519-sha256
`;
}

async function startServer(folder: string, port: number) {
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const child = spawn(SSHD, ["-D", "-e", "-f", join(folder, "sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const ended = once(child, "exit").then(() => {
    throw new Error(`sshd has ended: ${said}`);
  });
  ended.catch(() => undefined); // whoever waits for it is told
  await Promise.race([waitFor(() => canConnect(port), { what: "sshd" }), ended]);
  return {
    stop: async () => {
      child.kill("SIGTERM");
      await ended.catch(() => undefined);
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
