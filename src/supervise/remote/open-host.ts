import { makeSocketFolder } from "../../process/ssh/socket-folder.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import { makeSshRunner, type SshRunner } from "../../process/ssh/ssh-runner.ts";
import type { Desk } from "../desk.ts";
import { findOwnSsh } from "./find-own-ssh.ts";

/** What is needed to ask hosts. */
export type HostDesk = Pick<Desk, "env" | "home" | "hosts" | "leaving">;

/** The connection to a host; within one command always the same, so that all share its limit. */
export function openHost(desk: HostDesk, host: SshHost): SshRunner {
  const key = JSON.stringify(host);
  const open = desk.hosts.get(key);
  if (open) return open;
  const { env, home } = desk;
  const runner = makeSshRunner(host, {
    env,
    socketFolder: makeSocketFolder(env, home.root),
    configFile: findOwnSsh(env).configFile,
    pinsFile: home.knownHosts,
    signal: desk.leaving,
  });
  desk.hosts.set(key, runner);
  return runner;
}
