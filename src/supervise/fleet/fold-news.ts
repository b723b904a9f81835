import type { AgentEventRecord } from "../../tunnel/agent-options.ts";
import type { AgentState } from "../../wire/agent-states.ts";

/** What an agent has told so far; a new life of it begins with its start. */
export interface AgentNews {
  /** null: it has told nothing. */
  readonly state: AgentState | null;
  readonly agentId: string | null;
  /** When this life of it began. */
  readonly bornAt: string | null;
  /** It was up once in this life. */
  readonly wasReady: boolean;
  /** Over all its lives. */
  readonly sessions: number;
  readonly frames: number;
  /** The sessions that are open. */
  readonly open: readonly string[];
  /** Of the last frames, in milliseconds from the observation to the reply. */
  readonly recentMs: readonly number[];
  readonly lastNewsAt: string | null;
  /** What it last said of its link, a fault or its end. */
  readonly lastWords: string | null;
}

export const NO_NEWS: AgentNews = {
  state: null,
  agentId: null,
  bornAt: null,
  wasReady: false,
  sessions: 0,
  frames: 0,
  open: [],
  recentMs: [],
  lastNewsAt: null,
  lastWords: null,
};

const RECENT = 200;

/** The news with some more lines of its events file. A line that is no event is passed over: it was cut by a full disk. */
export function foldLines(before: AgentNews, lines: readonly string[]): AgentNews {
  const recentMs = [...before.recentMs];
  let news: AgentNews = before;
  for (const line of lines) {
    const event = readEvent(line);
    if (event === null) continue;
    if (event.type === "frame") recentMs.push(addTimes(event));
    news = foldEvent(news, event);
  }
  return { ...news, recentMs: recentMs.slice(-RECENT) };
}

/** Half of the last frames took no longer; null: there was none. */
export function findMedian(ms: readonly number[]): number | null {
  return [...ms].sort((one, other) => one - other)[Math.floor((ms.length - 1) / 2)] ?? null;
}

function readEvent(line: string): AgentEventRecord | null {
  try {
    const event = JSON.parse(line) as AgentEventRecord | null;
    return typeof event?.t === "string" && typeof event.type === "string" ? event : null;
  } catch {
    return null; // cut, or not of ours
  }
}

function foldEvent(news: AgentNews, event: AgentEventRecord): AgentNews {
  const { t, type, state, agentId, sessionId, detail } = event;
  const isBirth = type === "state" && state === "starting";
  const life = isBirth ? { ...news, bornAt: t, wasReady: false, open: [], lastWords: null } : news;
  const common = { ...life, state, agentId, lastNewsAt: t, wasReady: life.wasReady || isUp(life, state) };
  if (type === "frame") return { ...common, wasReady: true, frames: life.frames + 1 };
  if (type === "session") return foldSession(common, sessionId, detail);
  if (type === "state" || detail === null) return common;
  return { ...common, lastWords: detail };
}

/**
 * Its warm-up was answered. One whose session goes on after a restart has none, and may still be loading: only its first
 * reply shows that it is up. Where its birth was not read, its state is all that there is.
 */
function isUp({ state: before, bornAt }: AgentNews, state: AgentState): boolean {
  if (state === "running") return before === "warmup" || bornAt === null;
  return state === "draining" || state === "drained";
}

function foldSession(news: AgentNews, sessionId: string | null, detail: string | null): AgentNews {
  if (sessionId === null) return news;
  const others = news.open.filter((id) => id !== sessionId);
  if (detail !== "opened") return { ...news, open: others };
  return { ...news, sessions: news.sessions + 1, open: [...others, sessionId] };
}

function addTimes({ queueMs, handlerMs, checkMs, sendMs }: AgentEventRecord): number {
  return (queueMs ?? 0) + (handlerMs ?? 0) + (checkMs ?? 0) + (sendMs ?? 0);
}
