import type { Runner } from "../runner.ts";
import type { SshHost } from "./ssh-host.ts";

const TIMEOUT_MS = 10_000;

/**
 * What `ssh -G` prints: the settings that the person's configuration has for a host, `name value` a line. Nobody is
 * dialled. The options of a target's section are left out: they may name another configuration, which could run
 * programs, and nobody has trusted them yet. Empty where ssh is missing or refuses its configuration.
 */
export async function askSshSettings(
  local: Runner,
  { destination, user, port }: Pick<SshHost, "destination" | "user" | "port">,
  {
    env,
    configFile,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly configFile: string | null },
): Promise<string> {
  const config = configFile === null ? [] : ["-F", configFile];
  const place = [...(user === null ? [] : ["-l", user]), ...(port === null ? [] : ["-p", String(port)])];
  const argv = ["ssh", ...config, "-G", ...place, "--", destination];
  const { exitCode, stdout } = await local.run(argv, { env, timeoutMs: TIMEOUT_MS });
  return exitCode === 0 ? stdout : "";
}
