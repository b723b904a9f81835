import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { SshHost } from "../../src/process/ssh/ssh-host.ts";
import { makeSshRunner } from "../../src/process/ssh/ssh-runner.ts";
import { makeSshTarget } from "../../src/targets/ssh/ssh-target.ts";
import type { Target } from "../../src/targets/target.ts";
import { findOwnProcesses, type OwnProcess } from "./own-processes.ts";
import type { TestSshd } from "./sshd.ts";

/** A target over the tests' own ssh server. */
export function makeSshTestTarget(
  { socketFolder, configFile, host }: TestSshd,
  options: { host?: SshHost; jobDir?: string | null; env?: Readonly<Record<string, string>> } = {},
): Target {
  const runner = makeSshRunner(options.host ?? host, {
    ...{ socketFolder, configFile, pinsFile: join(socketFolder, "pins") },
    env: { ...process.env, ...options.env },
  });
  return makeSshTarget({ runner, jobDir: options.jobDir ?? null, freeMemoryMiB: 500 });
}

/** A folder on "the host", with spaces and quotes in its name; the server's own end removes it. */
export function makeHostFolder({ hostHome }: TestSshd): string {
  return mkdtempSync(join(hostHome, `it's a "test" `));
}

/** Processes of the tests that are no part of the way to a host. */
export function findWorkProcesses(): OwnProcess[] {
  return findOwnProcesses().filter(({ command }) => !/^(\S*\/)?sshd?\b/.test(command));
}
