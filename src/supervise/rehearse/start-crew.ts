import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { describeFault } from "../../base/error.ts";
import { type ProcessGroup, startGroup } from "../../process/process-group.ts";
import { findMarkedProcesses, loadProcessTree } from "../../process/process-tree.ts";
import type { MemorySample, ProcessStory } from "./evidence.ts";
import { type AgentCall, makeAgentCall } from "./make-agent-call.ts";
import { readLog } from "./read-log.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

/** The agents of a rehearsal, as processes. */
export interface Crew {
  /** How many have not ended. */
  readonly alive: () => number;
  /** Resolves when all have ended and what they left was looked for. */
  readonly ended: Promise<void>;
  /** Looks at every process of every agent; its memory counts where it is said how many observations were answered. */
  readonly look: (answered: number | undefined) => Promise<void>;
  /** Ends what still runs; the stories say so. */
  readonly stop: () => Promise<void>;
  readonly tell: () => ProcessStory[];
  readonly leftovers: () => string[];
}

/** What is known of one agent while it runs. */
interface Member {
  readonly number: number;
  readonly mark: string;
  readonly gpu: string | undefined;
  readonly logFile: string;
  group?: ProcessGroup;
  notStarted?: string;
  exitCode: number | null;
  signal: string | null;
  endedAtMs?: number;
  wasStopped: boolean;
  showsToken: boolean;
  readonly memory: MemorySample[];
  readonly leftovers: string[];
}

/** What ends with its parent is gone by then. */
const SETTLE_MS = 2_000;
const LOOK_EVERY_MS = 50;

export interface CrewPlace {
  readonly clock: Clock;
  /** From the start of the rehearsal. */
  readonly nowMs: () => number;
  /** Of each agent, by number. */
  readonly gpus: readonly (string | undefined)[];
}

/** Starts the agents at once, each with its log in the folder of the call. Never rejects: their stories tell. */
export async function startCrew(options: RehearseOptions, call: AgentCall, place: CrewPlace): Promise<Crew> {
  const members = Array.from({ length: options.agents }, (_, index) =>
    makeMember(index + 1, call, place.gpus[index]),
  );
  const ends = await Promise.all(members.map((member) => startMember(member, options, call, place)));
  return {
    alive: () => members.filter(isAlive).length,
    ended: Promise.all(ends.map(({ ended }) => ended)).then(() => undefined),
    look: async (answered) => {
      await Promise.all(members.filter(isAlive).map((member) => lookAt(member, call.token, answered)));
    },
    stop: async () => {
      const running = members.filter(isAlive);
      for (const member of running) member.wasStopped = true;
      await Promise.all(running.map(({ group }) => group?.stop(0)));
    },
    tell: () => members.map((member) => tellStory(member, call.token)),
    leftovers: () => members.flatMap(({ leftovers }) => leftovers),
  };
}

function makeMember(number: number, { jobUuid, folder }: AgentCall, gpu: string | undefined): Member {
  return {
    ...{ number, mark: `SORTIE_REHEARSAL=${jobUuid}-${number}`, gpu },
    logFile: join(folder, `agent-${number}.log`),
    ...{ exitCode: null, signal: null, wasStopped: false, showsToken: false, memory: [], leftovers: [] },
  };
}

function isAlive({ group, endedAtMs }: Member): boolean {
  return group !== undefined && endedAtMs === undefined;
}

async function startMember(
  member: Member,
  options: RehearseOptions,
  call: AgentCall,
  { clock, nowMs }: CrewPlace,
): Promise<{ ended: Promise<void> }> {
  const { argv, env } = makeAgentCall(options, call, member);
  const done = makeSignal();
  const beforeKill = async () => {
    await findLeftovers(member, clock, options.signal);
    done.fire();
  };
  const { cwd } = options;
  const started = await withLog(member.logFile, (outputFd) =>
    startGroup(argv, { ...{ cwd, env, outputFd, beforeKill, clock }, channels: [] }),
  );
  if ("notStarted" in started) {
    member.notStarted = started.notStarted;
    return { ended: Promise.resolve() };
  }
  member.group = started;
  const ended = started.ended.then(async ({ exitCode, signal }) => {
    Object.assign(member, { exitCode, signal, endedAtMs: nowMs() });
    await done.fired;
  });
  return { ended };
}

/** Opens the log for as long as a program needs to be started with it. */
async function withLog<Started>(
  path: string,
  start: (outputFd: number) => Promise<Started>,
): Promise<Started | { readonly notStarted: string }> {
  let outputFd: number;
  try {
    outputFd = openSync(path, "w", 0o600);
  } catch (fault) {
    return { notStarted: `its log cannot be written: ${describeFault(fault)}` };
  }
  try {
    return await start(outputFd);
  } finally {
    closeSync(outputFd);
  }
}

function makeSignal() {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire: () => fire(), fired };
}

/**
 * What carries the agent's mark after its end gets a moment to end too, unless the person broke it off; then it is named and
 * killed.
 */
async function findLeftovers(member: Member, clock: Clock, signal: AbortSignal | undefined) {
  const deadlineMs = clock.monotonicMs() + SETTLE_MS;
  let left = await findMarkedProcesses(member.mark);
  while (left.length > 0 && !signal?.aborted && clock.monotonicMs() < deadlineMs) {
    await clock.sleep(LOOK_EVERY_MS, signal);
    left = await findMarkedProcesses(member.mark);
  }
  for (const { pid, command } of left) {
    member.leftovers.push(command);
    killQuietly(pid);
  }
}

function killQuietly(pid: number) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended meanwhile
  }
}

async function lookAt(member: Member, token: string, answered: number | undefined) {
  const root = member.group?.pid as number;
  for (const { pid, command, bytes } of await loadProcessTree(root)) {
    if (command.includes(token)) member.showsToken = true;
    if (answered !== undefined) member.memory.push({ pid, isRoot: pid === root, bytes, answered });
  }
}

function tellStory(member: Member, token: string): ProcessStory {
  const { number, notStarted, exitCode, signal, endedAtMs, wasStopped, showsToken, memory } = member;
  const { lines: logTail, holdsToken: logsToken } = readLog(member.logFile, token);
  return {
    ...{ number, notStarted, exitCode, signal, endedAtMs, wasStopped },
    ...{ logTail, showsToken, logsToken, memory },
  };
}
