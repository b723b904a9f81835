import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const SSHD = "/usr/sbin/sshd";
const PATIENCE_MS = 10_000;

/**
 * Debian's OpenSSH server on loopback, known in the ssh configuration of the workspace's person by the aliases: each of
 * them is a host to ssh, with a shared connection of its own. `dead` are aliases of a port where nobody answers.
 */
export async function startSshHosts(workspace, { aliases, dead = [] }) {
  const { folder, env } = workspace;
  const place = join(folder, "sshd");
  const home = join(folder, "host");
  mkdirSync(place, { mode: 0o700 });
  mkdirSync(home, { mode: 0o700 });
  for (const key of ["host_key", "user_key"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", join(place, key)]);
  }
  const port = await findFreePort();
  // It takes connections and says nothing, as a host does that hangs.
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  writeFileSync(join(place, "sshd_config"), makeServerConfig(place, home, port));
  const ssh = join(env.HOME, ".ssh");
  mkdirSync(ssh, { mode: 0o700 });
  const hostKey = readFileSync(join(place, "host_key.pub"), "utf8").split(" ", 2).join(" ");
  writeFileSync(join(place, "known_hosts"), aliases.map((alias) => `${alias} ${hostKey}\n`).join(""));
  const entries = [
    ...aliases.map((alias) => [alias, port]),
    ...dead.map((alias) => [alias, silent.address().port]),
  ];
  writeFileSync(join(ssh, "config"), entries.map(([alias, to]) => makeEntry(place, alias, to)).join(""));
  const server = spawn(SSHD, ["-D", "-e", "-f", join(place, "sshd_config")], { stdio: "ignore" });
  await waitForPort(port);
  const stop = async () => {
    closeConnections(workspace);
    silent.close();
    server.kill("SIGTERM");
    await once(server, "exit");
  };
  return { home, configFile: join(ssh, "config"), stop };
}

/** Ends the shared connections of Sortie's own, so that the next command makes one anew. */
export function closeConnections({ env, desk }) {
  for (const folder of listSocketFolders(env, desk)) {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      spawnSync("ssh", ["-O", "exit", "-S", join(folder, name), "any"], { env, stdio: "ignore" });
    }
  }
}

/** As `src/process/ssh/socket-folder.ts` names them. */
function listSocketFolders(env, { home }) {
  const own = createHash("sha256").update(home.root).digest("hex").slice(0, 8);
  const parents = [`/tmp/sortie-${process.getuid()}`];
  if (env.XDG_RUNTIME_DIR) parents.push(join(env.XDG_RUNTIME_DIR, "sortie"));
  return parents.map((parent) => join(parent, own));
}

function makeServerConfig(place, home, port) {
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${place}/host_key
PidFile none
AuthorizedKeysFile ${place}/user_key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
UseDNS no
PrintMotd no
PrintLastLog no
MaxStartups 100:30:200
SetEnv HOME=${home}
`;
}

function makeEntry(place, alias, port) {
  return `Host ${alias}
  HostName 127.0.0.1
  HostKeyAlias ${alias}
  Port ${port}
  IdentityFile ${place}/user_key
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${place}/known_hosts
  GlobalKnownHostsFile /dev/null
`;
}

async function findFreePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

async function waitForPort(port) {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    if (performance.now() > until) throw new Error("sshd did not start");
    await sleep(20);
  }
}
