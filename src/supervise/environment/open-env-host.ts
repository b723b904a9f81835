import { type EnvHost, makeLocalHost } from "../../env/env-host.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import type { Desk } from "../desk.ts";
import { openHost } from "../remote/open-host.ts";

/** The host of a target, as environments are built on it. @param address null: this machine */
export function openEnvHost(
  desk: Pick<Desk, "env" | "home" | "hosts" | "leaving" | "runner">,
  address: SshHost | null,
): EnvHost {
  if (address === null) return makeLocalHost(desk.runner, desk.env);
  const runner = openHost(desk, address);
  return {
    name: runner.host,
    async runScript(text, { shell = "sh", ...options }) {
      const outcome = await runner.run([shell, "-s"], { ...options, stdin: text });
      const isCutOff = outcome.exitCode === 255 || outcome.notStarted;
      if (isCutOff && !outcome.timedOut) throw runner.explain(outcome);
      return outcome;
    },
  };
}
