import { makeLocalRunner } from "../local-runner.ts";
import type { Runner } from "../runner.ts";
import { encodeCommand } from "./encode-command.ts";
import { makeSshArgv, type SshPlaces, type SshUse } from "./ssh-arguments.ts";
import { describeSshHost, type SshHost } from "./ssh-host.ts";

export interface SshOptions extends SshPlaces {
  /** The whole environment of the `ssh` processes on this machine. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How many commands at once; default 4. */
  readonly limit?: number;
}

/** Runs commands on a host. `env` and `cwd` of a run's options have no meaning there and are ignored: scripts set what they need. */
export interface SshRunner extends Runner {
  /** The command line of `ssh` for a terminal or a stream of the caller's own. */
  sshArgv(use?: SshUse): string[];
}

export function makeSshRunner(host: SshHost, options: SshOptions): SshRunner {
  const local = makeLocalRunner();
  return {
    host: describeSshHost(host),
    run: (argv, { stdin, timeoutMs, signal, maxBytes }) =>
      local.run(makeSshArgv(host, options, { command: encodeCommand(argv) }), {
        env: options.env,
        timeoutMs,
        ...(stdin === undefined ? {} : { stdin }),
        ...(signal === undefined ? {} : { signal }),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      }),
    sshArgv: (use = {}) => makeSshArgv(host, options, use),
  };
}
