import { spawn } from "node:child_process";
import type { Outcome, Runner, RunOptions } from "./runner.ts";

const KILL_AFTER_MS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Runs commands as children of this process. They get a process group of their own, which ends with them. */
export function makeLocalRunner(): Runner {
  return { host: "this machine", run: runLocally };
}

function runLocally(argv: readonly string[], options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(argv[0] as string, argv.slice(1), {
      cwd: options.cwd,
      env: options.env as NodeJS.ProcessEnv | undefined,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const stdout = collect(options.maxBytes ?? MAX_BYTES);
    const stderr = collect(options.maxBytes ?? MAX_BYTES);
    let timedOut = false;

    const stop = () => {
      signalGroup(child.pid, "SIGTERM");
      killTimer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), KILL_AFTER_MS);
    };
    let killTimer: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, options.timeoutMs);
    options.signal?.addEventListener("abort", stop, { once: true });

    const finish = (outcome: Pick<Outcome, "exitCode" | "signal" | "notStarted">, fault?: string) => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      options.signal?.removeEventListener("abort", stop);
      resolve({ ...outcome, stdout: stdout.text(), stderr: fault ?? stderr.text(), timedOut });
    };
    child.on("error", (error) => finish({ exitCode: null, signal: null, notStarted: true }, error.message));
    // A grandchild may hold the pipes open for ever: after a stop, the process's own end is the end.
    child.on("exit", (exitCode, signal) => {
      if (!timedOut && !options.signal?.aborted) return;
      child.stdout.destroy();
      child.stderr.destroy();
      finish({ exitCode, signal, notStarted: false });
    });
    child.on("close", (exitCode, signal) => finish({ exitCode, signal, notStarted: false }));

    child.stdout.on("data", stdout.add);
    child.stderr.on("data", stderr.add);
    child.stdin.on("error", () => undefined); // the command may end without reading all that it was given
    child.stdin.end(options.stdin);
  });
}

function collect(maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk: Buffer) {
      if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group has ended already: that is what was wanted
  }
}
