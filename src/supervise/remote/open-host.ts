import type { SshHost } from "../../process/ssh/ssh-host.ts";
import { makeSshRunner, type SshRunner } from "../../process/ssh/ssh-runner.ts";
import type { Desk } from "../desk.ts";

/** The connection to a host; within one command always the same, so that all share its limit. */
export function openHost(desk: Desk, host: SshHost): SshRunner {
  const key = JSON.stringify(host);
  const open = desk.hosts.get(key);
  if (open) return open;
  const runner = makeSshRunner(host, { env: desk.env, socketFolder: "", configFile: null, pinsFile: "" });
  desk.hosts.set(key, runner);
  return runner;
}
