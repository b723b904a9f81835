import type { Clock } from "../base/clock.ts";
import { makePrintable } from "../base/printable.ts";
import type { AgentState } from "../wire/agent-states.ts";
import type { AgentEventRecord, AgentLogLine } from "./agent-options.ts";
import type { AgentReport } from "./agent-report.ts";
import { TimeCounter } from "./percentiles.ts";
import { Secrets } from "./secrets.ts";

/** Milliseconds of one answered frame; `send` is null where no link took the reply. */
export interface FrameTimes {
  readonly queue: number;
  readonly handler: number;
  readonly check: number;
  readonly send: number | null;
}

interface JournalOptions {
  readonly clock: Clock;
  /** Never to be seen in what is said. */
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

const noDetails: EventDetails = {
  sessionId: null,
  queueMs: null,
  handlerMs: null,
  checkMs: null,
  sendMs: null,
  detail: null,
};

type Counts = Omit<
  AgentReport,
  "agentId" | "refusedReplies" | "softFindings" | "ignoredControls" | "latency"
>;

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
  readonly secrets: Secrets;
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
    this.secrets = new Secrets(options.token);
  }

  log(level: AgentLogLine["level"], text: string) {
    this.#options.onLog?.({ level, text: makePrintable(this.secrets.clean(text)) });
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

  record(type: AgentEventRecord["type"], details: Partial<EventDetails> = {}) {
    const { agentId, state } = this.#identity;
    const t = this.#options.clock.now().toISOString();
    const detail = details.detail == null ? null : this.secrets.clean(details.detail);
    this.#options.onEvent?.({ t, type, agentId, state, ...noDetails, ...details, detail });
  }

  recordFrame(sessionId: string, times: FrameTimes) {
    for (const [name, ms] of Object.entries(times))
      if (ms !== null) this.#times[name as keyof FrameTimes].add(ms);
    if (this.#options.onEvent === undefined) return;
    this.record("frame", {
      sessionId,
      queueMs: roundMs(times.queue),
      handlerMs: roundMs(times.handler),
      checkMs: roundMs(times.check),
      sendMs: times.send === null ? null : roundMs(times.send),
    });
  }

  makeReport(): AgentReport {
    return {
      agentId: this.#identity.agentId,
      ...this.counts,
      refusedReplies: Object.fromEntries(this.refusedReplies),
      softFindings: Object.fromEntries(this.softFindings),
      ignoredControls: Object.fromEntries(this.ignoredControls),
      latency: this.#readLatency(),
    };
  }

  #readLatency(): AgentReport["latency"] {
    const [queue, handler, check] = [
      this.#times.queue.read(),
      this.#times.handler.read(),
      this.#times.check.read(),
    ];
    if (queue === null || handler === null || check === null) return null;
    return { queue, handler, check, send: this.#times.send.read() };
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
