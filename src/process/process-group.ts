import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "../base/clock.ts";
import { isWithin } from "../base/is-within.ts";
import { startGuard } from "./guard-group.ts";

export interface GroupOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The descriptor of this process that becomes stdout and stderr of the program. */
  readonly outputFd: number;
  /** What the program gets as descriptors from 3 on: a socket of which we keep the other end, or this one. */
  readonly channels: readonly ("socket" | Socket)[];
  /** Awaited when the program has ended and before the rest of its group is killed: to see what it left behind. */
  readonly beforeKill?: () => Promise<void>;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** How the first process of a group ended: exactly one of the two is not null. */
export interface GroupEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program in a process group of its own, which ends when this process ends, by `kill -9` too. */
export interface ProcessGroup {
  readonly pid: number;
  /** Our ends of the channels; null where the caller has it. */
  readonly channels: readonly (Duplex | null)[];
  /** Resolves when the program has ended; whatever else is in its group is killed then. */
  readonly ended: Promise<GroupEnd>;
  /**
   * Waits so long for the end of the program, then sends TERM to the group, and a second later KILL. Resolves when
   * nothing of the group is left.
   */
  stop(patienceMs: number): Promise<void>;
}

const KILL_AFTER_MS = 1000;
const LOOK_EVERY_MS = 10;
/** After a KILL only a zombie that nobody asks for, or a process that the kernel holds, is left for longer. */
const LEAVE_AFTER_MS = 500;

/** Starts a program whose stdin is empty. Never rejects: `notStarted` says why there is no process. */
export function startGroup(
  argv: readonly string[],
  options: GroupOptions,
): Promise<ProcessGroup | { readonly notStarted: string }> {
  let child: ChildProcess;
  try {
    child = spawnLeader(argv, options);
  } catch (fault) {
    return Promise.resolve({ notStarted: (fault as Error).message }); // too long or impossible arguments are thrown
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ notStarted: error.message }));
    child.once("spawn", () => resolve(watchGroup(child, options)));
  });
}

function spawnLeader(argv: readonly string[], { cwd, env, outputFd, channels }: GroupOptions): ChildProcess {
  const pipes: StdioOptions = channels.map((channel) => (channel === "socket" ? "pipe" : channel));
  return spawn(argv[0] as string, argv.slice(1), {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", outputFd, outputFd, ...pipes],
    detached: true,
  });
}

function watchGroup(child: ChildProcess, { beforeKill, clock = systemClock }: GroupOptions): ProcessGroup {
  const pid = child.pid as number;
  const channels = child.stdio.slice(3) as (Duplex | null)[];
  for (const channel of channels) channel?.on("error", () => undefined); // the end of the program tells it better
  const guard = startGuard(pid, { patienceS: 0 });
  const ended = new Promise<GroupEnd>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const gone = ended.then(async () => {
    await beforeKill?.();
    await killGroup(pid, clock);
    await guard.dismiss();
  });
  const stop = async (patienceMs: number) => {
    if (await isWithin(gone, patienceMs, clock)) return;
    signalGroup(pid, "SIGTERM");
    if (await isWithin(gone, KILL_AFTER_MS, clock)) return;
    signalGroup(pid, "SIGKILL");
    await gone;
  };
  return { pid, channels, ended, stop };
}

async function killGroup(pid: number, clock: Clock) {
  const deadlineMs = clock.monotonicMs() + LEAVE_AFTER_MS;
  while (signalGroup(pid, "SIGKILL") && clock.monotonicMs() < deadlineMs) await clock.sleep(LOOK_EVERY_MS);
}

/** false when the group has no member. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // nobody is left to be signalled
  }
}
