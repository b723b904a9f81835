import type { Clock } from "../base/clock.ts";
import { makePrintable } from "../base/printable.ts";
import type { AgentState } from "../wire/agent-states.ts";
import type { AgentEventRecord, AgentLogLine } from "./agent-options.ts";
import type { AgentReport } from "./agent-report.ts";
import { TimeCounter } from "./percentiles.ts";

/** Milliseconds of one answered frame; `send` is absent where no link took the reply. */
export interface FrameTimes {
  readonly queue: number;
  readonly handler: number;
  readonly check: number;
  readonly send?: number;
}

interface JournalOptions {
  readonly clock: Clock;
  /** Never to be seen in a line. */
  readonly token: string;
  readonly onLog?: (line: AgentLogLine) => void;
  readonly onEvent?: (event: AgentEventRecord) => void;
}

/** Whoever the lines are about; both change. */
interface Identity {
  readonly agentId: string;
  readonly state: AgentState;
}

type EventDetails = Omit<AgentEventRecord, "t" | "type" | "agentId" | "state">;

type Counts = Omit<
  AgentReport,
  "agentId" | "refusedReplies" | "softFindings" | "ignoredControls" | "latency"
>;

/** A token shorter than this could be a part of common words. */
const LEAST_TOKEN = 8;
const MOST_KEYS = 100;

/** What an agent says and counts: log lines, event records, and at the end its report. */
export class AgentJournal {
  readonly #options: JournalOptions;
  readonly #identity: Identity;
  readonly #times = {
    queue: new TimeCounter(),
    handler: new TimeCounter(),
    check: new TimeCounter(),
    send: new TimeCounter(),
  };
  readonly #told = new Map<string, number>();
  readonly #secrets: string[];
  readonly counts: { -readonly [Key in keyof Counts]: Counts[Key] } = {
    sessions: 0,
    replies: 0,
    resent: 0,
    unproven: 0,
    lost: 0,
    handlerFaults: 0,
    redials: 0,
    malformedFrames: 0,
  };
  readonly refusedReplies = new Map<string, number>();
  readonly softFindings = new Map<string, number>();
  readonly ignoredControls = new Map<string, number>();

  constructor(options: JournalOptions, identity: Identity) {
    this.#options = options;
    this.#identity = identity;
    this.#secrets = options.token.length < LEAST_TOKEN ? [] : [options.token];
  }

  /** A later token, as secret as the first. */
  hide(token: string) {
    if (token.length >= LEAST_TOKEN) this.#secrets.push(token);
  }

  log(level: AgentLogLine["level"], text: string) {
    const shown = this.#secrets.reduce((line, secret) => line.replaceAll(secret, "[token]"), text);
    this.#options.onLog?.({ level, text: makePrintable(shown) });
  }

  /** Says what may come a thousand times the first three times, and then at the 10th, the 100th and so on. */
  logSome(key: string, level: AgentLogLine["level"], text: string) {
    const count = countOne(this.#told, key);
    if (count <= 3) return this.log(level, text);
    if (Number.isInteger(Math.log10(count))) this.log(level, `${text} (time ${count})`);
  }

  /** Says once what holds for the whole life of the agent. */
  logOnce(key: string, level: AgentLogLine["level"], text: string) {
    if (countOne(this.#told, key) === 1) this.log(level, text);
  }

  record(type: AgentEventRecord["type"], details: EventDetails = {}) {
    const { agentId, state } = this.#identity;
    this.#options.onEvent?.({ t: this.#options.clock.now().toISOString(), type, agentId, state, ...details });
  }

  recordFrame(sessionId: string, times: FrameTimes) {
    for (const [name, ms] of Object.entries(times))
      if (ms !== undefined) this.#times[name as keyof FrameTimes].add(ms);
    if (this.#options.onEvent === undefined) return;
    this.record("frame", {
      sessionId,
      queueMs: roundMs(times.queue),
      handlerMs: roundMs(times.handler),
      checkMs: roundMs(times.check),
      sendMs: times.send === undefined ? undefined : roundMs(times.send),
    });
  }

  makeReport(): AgentReport {
    const { queue, handler, check, send } = this.#times;
    const none = { p50: 0, p95: 0, p99: 0 };
    return {
      agentId: this.#identity.agentId,
      ...this.counts,
      refusedReplies: Object.fromEntries(this.refusedReplies),
      softFindings: Object.fromEntries(this.softFindings),
      ignoredControls: Object.fromEntries(this.ignoredControls),
      latency:
        queue.count === 0
          ? undefined
          : {
              queue: queue.read() ?? none,
              handler: handler.read() ?? none,
              check: check.read() ?? none,
              send: send.read() ?? none,
            },
    };
  }
}

/** The count of this key with this one. A peer that makes up new keys for ever fills no memory: they share one. */
export function countOne(counts: Map<string, number>, key: string): number {
  const place = counts.has(key) || counts.size < MOST_KEYS ? key : "other";
  const count = (counts.get(place) ?? 0) + 1;
  counts.set(place, count);
  return count;
}

function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
