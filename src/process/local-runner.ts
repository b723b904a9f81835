import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setLongTimeout } from "../base/long-timeout.ts";
import { startGuard } from "./guard-group.ts";
import type { Outcome, Runner, RunOptions } from "./runner.ts";

const KILL_AFTER_MS = 1000;
const LOOK_EVERY_MS = 20;
const MAX_BYTES = 16 * 1024 * 1024;

/** Runs commands as children of this process, each in a process group of its own: a stop reaches all of that group. */
export function makeLocalRunner(): Runner {
  return { host: "this machine", run: runLocally };
}

function runLocally(argv: readonly string[], options: RunOptions): Promise<Outcome> {
  if (options.signal?.aborted) return Promise.resolve(makeNotStarted("it was called off before its start"));
  let child: ChildProcessWithoutNullStreams;
  try {
    child = startProcess(argv, options);
  } catch (fault) {
    // Some faults of a start are events (no such program), others are thrown: too many arguments, no folder.
    return Promise.resolve(makeNotStarted((fault as Error).message));
  }
  return waitForProcess(child, options);
}

function startProcess(argv: readonly string[], { cwd, env }: RunOptions): ChildProcessWithoutNullStreams {
  return spawn(argv[0] as string, argv.slice(1), {
    cwd,
    env: env as NodeJS.ProcessEnv | undefined,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

function makeNotStarted(reason: string): Outcome {
  return { exitCode: null, signal: null, stdout: "", stderr: reason, timedOut: false, notStarted: true };
}

function waitForProcess(child: ChildProcessWithoutNullStreams, options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const stdout = collect(options.maxBytes ?? MAX_BYTES);
    const stderr = collect(options.maxBytes ?? MAX_BYTES);
    const guard =
      options.endsWithUs && child.pid !== undefined ? startGuard(child.pid, { patienceS: 1 }) : null;
    let timedOut = false;
    let ladder: StopLadder | undefined;

    const stop = () => {
      if (ladder) return;
      ladder = stopGroup(child.pid);
      if (hasEnded(child)) finishStopped();
    };
    const timer = setLongTimeout(() => {
      timedOut = true;
      stop();
    }, options.timeoutMs);
    options.signal?.addEventListener("abort", stop, { once: true });

    const finish = (outcome: Outcome) => {
      timer.clear();
      ladder?.clear();
      options.signal?.removeEventListener("abort", stop);
      if (guard) void guard.dismiss().then(() => resolve(outcome));
      else resolve(outcome);
    };
    const finishEnded = () =>
      finish({
        ...{ exitCode: child.exitCode, signal: child.signalCode, timedOut, notStarted: false },
        ...{ stdout: stdout.text(), stderr: stderr.text() },
      });
    // A grandchild may hold the pipes open for ever: after a stop, the end of the group is the end.
    const finishStopped = () => {
      child.stdout.destroy();
      child.stderr.destroy();
      ladder?.onGone(finishEnded);
    };

    child.on("error", (error) => {
      if (child.pid === undefined) finish(makeNotStarted(error.message));
    });
    child.on("exit", () => {
      if (ladder) finishStopped();
    });
    child.on("close", () => {
      if (!ladder) finishEnded();
    });

    child.stdout.on("data", stdout.add);
    if (options.onStdout) child.stdout.on("data", options.onStdout);
    child.stderr.on("data", stderr.add);
    child.stdin.on("error", () => undefined); // the command may end without reading all that it was given
    child.stdin.end(options.stdin);
  });
}

function hasEnded(child: ChildProcessWithoutNullStreams): boolean {
  return child.exitCode !== null || child.signalCode !== null;
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

interface StopLadder {
  /** Calls back when no member of the group is left, or all that are have had their KILL. */
  onGone(callback: () => void): void;
  clear(): void;
}

/** TERM, and KILL a second later for what is still there, also where the first process has ended meanwhile. */
function stopGroup(pid: number | undefined): StopLadder {
  let isKilled = false;
  let looks: NodeJS.Timeout | undefined;
  signalGroup(pid, "SIGTERM");
  const killTimer = setTimeout(() => {
    isKilled = true;
    signalGroup(pid, "SIGKILL");
  }, KILL_AFTER_MS);
  return {
    onGone(callback) {
      const look = () => {
        if (isKilled || !signalGroup(pid, 0)) callback();
      };
      looks = setInterval(look, LOOK_EVERY_MS);
      look();
    },
    clear() {
      clearTimeout(killTimer);
      clearInterval(looks);
    },
  };
}

/** false when the group has no member. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // the group has ended already: that is what was wanted
  }
}
