import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { SshHost } from "../../src/process/ssh/ssh-host.ts";
import type { LinkProxy } from "./link-proxy.ts";
import { type Account, type LoginShell, makeAccounts } from "./sshd-accounts.ts";
import {
  hasSshd,
  makeSshKey,
  type SshdServer,
  type SshdServerOptions,
  startSshdServer,
} from "./sshd-server.ts";

/** Debian's OpenSSH server on loopback, as a host of the tests, and a person at home who reaches it. */
export interface TestSshd {
  readonly server: SshdServer;
  /** Between the two: `cut()` the connections, `pause()` and `resume()` what flows, `onDial("swallow")`… */
  readonly proxy: LinkProxy;
  /** The port of the proxy, which is what the ssh configuration names. */
  readonly port: number;
  /** `$HOME` of the person, who knows the host as `box`, in `.ssh/config`. */
  readonly personHome: string;
  /** That configuration, for `-F`. */
  readonly configFile: string;
  readonly knownHostsFile: string;
  /** `$HOME` of whoever logs in as `box`. */
  readonly hostHome: string;
  /** Short, private: for sockets. */
  readonly socketFolder: string;
  /** `box`, as Sortie is told of it. */
  readonly host: SshHost;
  /** Adds lines to the end of the person's ssh configuration. */
  addConfig(lines: string): void;
  /** A user with this login shell on the host, which the configuration then knows by `alias`. Root only. */
  makeAccount(shell: LoginShell): Account & { readonly alias: string; readonly host: SshHost };
  /** A second server; the configuration then knows `box` behind it as `inner`. */
  startJump(): Promise<SshdServer>;
  /** A second server, in a container whose first process has these variables; nothing knows it by name. Root only. */
  startContainer(name: string, variables: Readonly<Record<string, string>>): Promise<SshdServer>;
  /** A host with another name or port. */
  makeHost(destination: string, port?: number | null): SshHost;
}

/**
 * One server for the test file or `describe`: `const sshd = useSshd();` beside the tests, `sshd()` inside them. Where no
 * sshd is installed, and none could be, they are skipped.
 */
export function useSshd(): () => TestSshd {
  let started: Awaited<ReturnType<typeof startSshd>> | undefined;
  beforeAll(async () => {
    if (hasSshd()) started = await startSshd();
  });
  beforeEach(({ skip }) => skip(!hasSshd(), "there is no sshd"));
  afterAll(async () => {
    await started?.stop();
  });
  return () => {
    if (!started) throw new Error("the ssh server has not been started");
    return started.sshd;
  };
}

async function startSshd(): Promise<{ sshd: TestSshd; stop(): Promise<void> }> {
  const folder = mkdtempSync("/tmp/sortie-"); // short: sockets lie in it
  chmodSync(folder, 0o711);
  const inFolder = (name: string) => join(folder, name);
  const [personHome, hostHome, socketFolder] = [inFolder("me"), inFolder("home"), inFolder("s")];
  mkdirSync(join(personHome, ".ssh"), { recursive: true, mode: 0o700 });
  mkdirSync(hostHome);
  mkdirSync(socketFolder, { mode: 0o700 });
  const key = join(personHome, ".ssh", "id_ed25519");
  makeSshKey(key);
  const authorizedKeys = inFolder("authorized_keys");
  copyFileSync(`${key}.pub`, authorizedKeys);
  chmodSync(authorizedKeys, 0o644);

  const startServer = (name: string, more: Pick<SshdServerOptions, "container"> = {}) =>
    startSshdServer({ folder: inFolder(name), authorizedKeys, hostHome, ...more });
  const server = await startServer("box");
  const servers = [server];
  const accounts = makeAccounts(inFolder("homes"));
  const knownHostsFile = join(personHome, ".ssh", "known_hosts");
  const configFile = join(personHome, ".ssh", "config");
  writeFileSync(knownHostsFile, server.knownHost);
  writeFileSync(configFile, makePersonConfig(personHome, server.proxy.port));

  const addConfig = (lines: string) => appendFileSync(configFile, `${lines}\n`);
  const makeHost = (destination: string, port: number | null = null): SshHost => ({
    ...{ destination, port, user: null, options: [], pinsKeys: false },
  });
  const place = `HostName 127.0.0.1\n  Port ${server.proxy.port}`;
  const sshd: TestSshd = {
    ...{ server, proxy: server.proxy, port: server.proxy.port },
    ...{ personHome, configFile, knownHostsFile, hostHome, socketFolder },
    ...{ host: makeHost("box"), addConfig, makeHost },
    makeAccount: (shell) => {
      const account = accounts.make(shell);
      addConfig(`Host ${account.name}\n  User ${account.name}\n  ${place}`);
      return { ...account, alias: account.name, host: makeHost(account.name) };
    },
    startContainer: async (name, container) => {
      const server = await startServer(name, { container });
      servers.push(server);
      return server;
    },
    startJump: async () => {
      const jump = await startServer("jump");
      servers.push(jump);
      appendFileSync(knownHostsFile, jump.knownHost);
      addConfig(`Host jump\n  HostName 127.0.0.1\n  Port ${jump.proxy.port}`);
      addConfig(`Host inner\n  ProxyJump jump\n  ${place}`);
      return jump;
    },
  };
  return {
    sshd,
    stop: async () => {
      for (const one of servers) await one.stop();
      accounts.removeAll();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As a person has it; the key exchange is the quickest one. */
function makePersonConfig(personHome: string, port: number): string {
  return `Host *
  IdentityFile ${personHome}/.ssh/id_ed25519
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${personHome}/.ssh/known_hosts
  GlobalKnownHostsFile /dev/null
  KexAlgorithms curve25519-sha256

Host box
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
`;
}
