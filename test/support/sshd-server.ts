import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type LinkProxy, startLinkProxy } from "./link-proxy.ts";
import { findFreePort } from "./nginx.ts";
import { waitFor } from "./wait-for.ts";

/** sshd wants to be started by its absolute path; Debian puts it where not every PATH looks. */
const SSHD = "/usr/sbin/sshd";

/** One sshd on loopback. Everybody reaches it by way of its proxy. */
export interface SshdServer {
  readonly proxy: LinkProxy;
  /** The line of known_hosts that vouches for it. */
  readonly knownHost: string;
  /** `SHA256:…` of its host key. */
  readonly fingerprint: string;
  /** What it shows before a login; null: nothing. */
  setBanner(text: string | null): void;
  /** Comes back with another host key. */
  swapHostKey(): Promise<void>;
  /** Stands still, with all that ran in its container, until the answer is called. */
  halt(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

export interface SshdServerOptions {
  /** Empty, for its keys and configuration; whoever logs in must be able to look into it. */
  readonly folder: string;
  readonly authorizedKeys: string;
  /** `$HOME` of the account that the tests run as. */
  readonly hostHome: string;
  /** It runs in a container: a namespace of processes whose first one has these variables. Root only. */
  readonly container?: Readonly<Record<string, string>>;
}

export function hasSshd(): boolean {
  return existsSync(SSHD);
}

export async function startSshdServer(options: SshdServerOptions): Promise<SshdServer> {
  const { folder } = options;
  mkdirSync(folder, { mode: 0o711 });
  const hostKey = join(folder, "host_key");
  const banner = join(folder, "banner");
  makeSshKey(hostKey);
  const port = await findFreePort();
  writeFileSync(join(folder, "sshd_config"), makeConfig(options, port));
  const wrap = options.container ? makeContainer(options.container) : [];
  let listener = await startListener(folder, port, wrap);
  const proxy = await startLinkProxy(port);
  return {
    proxy,
    get knownHost() {
      return `[127.0.0.1]:${proxy.port} ${readFileSync(`${hostKey}.pub`, "utf8").split(" ", 2).join(" ")}\n`;
    },
    get fingerprint() {
      return execFileSync("ssh-keygen", ["-lf", hostKey], { encoding: "utf8" }).split(" ")[1] as string;
    },
    setBanner: (text) => {
      if (text === null) rmSync(banner, { force: true });
      else writeFileSync(banner, text);
    },
    swapHostKey: async () => {
      await listener.stop();
      rmSync(hostKey);
      makeSshKey(hostKey);
      listener = await startListener(folder, port, wrap);
    },
    halt: async () => {
      await listener.stop();
      return async () => {
        listener = await startListener(folder, port, wrap);
      };
    },
    stop: async () => {
      await proxy.close(); // cuts every connection: the shared ones of ssh end by it
      await listener.stop();
    },
  };
}

export function makeSshKey(path: string) {
  rmSync(`${path}.pub`, { force: true });
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path]);
}

/** What runs on "the host" carries the mark of this test file's processes, so that the leak check sees it. */
function makeConfig({ folder, authorizedKeys, hostHome }: SshdServerOptions, port: number): string {
  const mark = `SORTIE_TEST_FILE=${process.env["SORTIE_TEST_FILE"]}`;
  // Accounts made for a test have homes of their own.
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host_key
PidFile none
AuthorizedKeysFile ${authorizedKeys}
Banner ${folder}/banner
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UseDNS no
PrintMotd no
PrintLastLog no
MaxStartups 100:30:200
Match User sortie-*
  SetEnv ${mark}
Match User *
  SetEnv HOME=${hostHome} ${mark}
`;
}

/** What ends the outer process ends everything in it. */
function makeContainer(variables: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const first = ["env", ...pairs, "sh", "-c", '"$@" & wait', "sh"];
  return ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", ...first];
}

/**
 * It is nobody's child and does not carry the mark of own processes: what ends all that a test has left must not end the
 * server between two tests. It ends with this process all the same, when its end of the pipe is closed.
 */
async function startListener(folder: string, port: number, wrap: readonly string[]) {
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const { SORTIE_TEST_FILE: _, ...env } = process.env;
  const listen = [SSHD, "-D", "-E", join(folder, "log"), "-f", join(folder, "sshd_config")];
  const guard = spawn("sh", ["-c", GUARDED, "sh", folder, ...wrap, ...listen], {
    env,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  await once(guard, "exit");
  await waitFor(() => canConnect(port), { what: "sshd" });
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  return {
    stop: async () => {
      guard.stdio[3]?.destroy();
      await waitFor(() => !isListening(pid), { what: "the end of sshd" });
    },
  };
}

/** Signal 9: `unshare` heeds no other. */
const GUARDED = `folder=$1
shift
{
  "$@" 3<&- &
  echo $! >"$folder/pid"
  read -r _ <&3
  kill -9 $!
} >/dev/null 2>&1 &
`;

/** A zombie is dead: who reaps it comes by now and then. */
function isListening(pid: number): boolean {
  try {
    return !/^State:\t[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // it is gone
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
