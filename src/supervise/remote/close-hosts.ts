import type { Desk } from "../desk.ts";

const CLOSE_MS = 5000;

/** Ends the connections that were shared; whoever else still uses one ends it with their last command. */
export async function closeHosts({
  hosts,
  runner,
  env,
}: Pick<Desk, "hosts" | "runner" | "env">): Promise<void> {
  await Promise.all(
    [...hosts.values()].map((host) => {
      const [ssh = "ssh", ...rest] = host.sshArgv();
      return runner.run([ssh, "-O", "stop", ...rest], { env, timeoutMs: CLOSE_MS });
    }),
  );
  hosts.clear();
}
