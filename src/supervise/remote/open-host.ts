import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { makeSocketFolder } from "../../process/ssh/socket-folder.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import { makeSshRunner, type SshRunner } from "../../process/ssh/ssh-runner.ts";
import type { Desk } from "../desk.ts";

/** The connection to a host; within one command always the same, so that all share its limit. */
export function openHost(desk: Desk, host: SshHost): SshRunner {
  const key = JSON.stringify(host);
  const open = desk.hosts.get(key);
  if (open) return open;
  const { env, home } = desk;
  const runner = makeSshRunner(host, {
    env,
    socketFolder: makeSocketFolder(env, home.root),
    configFile: findSshConfig(env),
    pinsFile: home.knownHosts,
    signal: desk.leaving,
  });
  desk.hosts.set(key, runner);
  return runner;
}

/** ssh itself reads the configuration of the account; a person who has set another home folder means that one's. */
function findSshConfig(env: Desk["env"]): string | null {
  if (env["SORTIE_SSH_CONFIG"]) return env["SORTIE_SSH_CONFIG"];
  const home = env["HOME"];
  if (!home || home === userInfo().homedir) return null;
  const file = join(home, ".ssh", "config");
  return existsSync(file) ? file : null;
}
