import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
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

/** Starts the agents at once, each with its log in the folder. Never rejects. */
export async function startCrew(
  options: RehearseOptions,
  call: AgentCall,
  { folder, nowMs }: { folder: string; nowMs: () => number },
): Promise<Crew> {
  const members = Array.from({ length: options.agents }, (_, index) => makeMember(index + 1, call, folder));
  const ends = await Promise.all(members.map((member) => startMember(member, options, call, nowMs)));
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

function makeMember(number: number, { jobUuid }: AgentCall, folder: string): Member {
  return {
    ...{
      number,
      mark: `SORTIE_REHEARSAL=${jobUuid}-${number}`,
      logFile: join(folder, `agent-${number}.log`),
    },
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
  nowMs: () => number,
): Promise<{ ended: Promise<void> }> {
  const { argv, env } = makeAgentCall(options, call, member);
  const outputFd = openSync(member.logFile, "w", 0o600);
  const done = makeSignal();
  const beforeKill = async () => {
    await findLeftovers(member);
    done.fire();
  };
  const started = await startGroup(argv, { cwd: options.cwd, env, outputFd, channels: [], beforeKill });
  closeSync(outputFd);
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

function makeSignal() {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire: () => fire(), fired };
}

/** What carries the agent's mark after its end gets a moment to end too; then it is named and killed. */
async function findLeftovers(member: Member) {
  const deadline = performance.now() + SETTLE_MS;
  let left = await findMarkedProcesses(member.mark);
  while (left.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
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
