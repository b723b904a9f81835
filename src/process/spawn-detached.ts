import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** Starts a process that outlives this one, in a session of its own; its output goes to the file. Its pid, or null. */
export function spawnDetached(
  argv: readonly string[],
  options: { env: Readonly<Record<string, string | undefined>>; logFile: string; cwd: string },
): number | null {
  const log = openSync(options.logFile, "a", 0o600);
  try {
    const child = spawn(argv[0] as string, argv.slice(1), {
      cwd: options.cwd,
      env: options.env as NodeJS.ProcessEnv,
      stdio: ["ignore", log, log],
      detached: true,
    });
    child.on("error", () => undefined); // reported by the missing pid
    child.unref();
    return child.pid ?? null;
  } catch {
    return null; // some faults are thrown, as for a folder that is not there
  } finally {
    closeSync(log);
  }
}
