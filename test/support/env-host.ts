import { join } from "node:path";
import { makeSettings } from "../../src/base/script.ts";
import type { EnvHost } from "../../src/env/env-host.ts";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { makeSshRunner } from "../../src/process/ssh/ssh-runner.ts";
import type { TestSshd } from "./sshd.ts";

interface EnvHostOptions {
  /** Variables of every script, over those of this process (locally) or of the login (over ssh). */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of every script; default: this process' (locally), or the home folder (over ssh). */
  readonly cwd?: string;
}

/** This machine, as environments are built on it. */
export function makeLocalEnvHost({ env, cwd }: EnvHostOptions = {}): EnvHost {
  const runner = makeLocalRunner();
  return {
    name: "this machine",
    runScript: (text, { shell = "sh", timeoutMs, signal, onStdout }) =>
      runner.run([shell, "-s"], {
        ...{ stdin: text, env: { ...process.env, ...env }, cwd, timeoutMs, signal, onStdout },
      }),
  };
}

/** The tests' own ssh server, which `useSshd` gives. A connection that fails is thrown. */
export function makeSshEnvHost(sshd: TestSshd, { env = {}, cwd }: EnvHostOptions = {}): EnvHost {
  const { socketFolder, configFile, host } = sshd;
  const runner = makeSshRunner(host, {
    ...{ socketFolder, configFile, pinsFile: join(socketFolder, "pins"), env: process.env },
  });
  const names = Object.keys(env);
  const head = [
    makeSettings(env),
    names.length === 0 ? "" : `export ${names.join(" ")}\n`,
    cwd === undefined ? "" : `${makeSettings({ sortie_cwd: cwd })}cd "$sortie_cwd" || exit\n`,
  ].join("");
  return {
    name: runner.host,
    async runScript(text, { shell = "sh", timeoutMs, signal, onStdout }) {
      const outcome = await runner.run([shell, "-s"], { stdin: head + text, timeoutMs, signal, onStdout });
      if (outcome.exitCode === 255 || outcome.notStarted) throw runner.explain(outcome);
      return outcome;
    },
  };
}
