import type { AgentSymptoms, AttemptEnd } from "./contest-symptoms.ts";
import { findEnding } from "./log-ending.ts";

/** What ails an agent, or that it does well; the most telling one. */
export type AgentAilment =
  | "memory"
  | "drained"
  | "unauthorized"
  | "over_cap"
  | "taken"
  | "warmup_failed"
  | "warmup_long"
  | "stalled"
  | "unreachable"
  | "dropping"
  | "failed"
  | "none";

export interface AgentSign {
  readonly ailment: AgentAilment;
  /** The line that shows it. */
  readonly line: string;
}

/** Loading weights may well take this long. */
const LONG_WARMUP_S = 180;
const LAST_LINES = 40;
/** A link may end once or twice without anything behind it. */
const FEW_ENDS = 3;

/** What an agent in one of these said of its dials before is over. */
const CONNECTED: readonly AgentSymptoms["state"][] = ["queued", "warmup", "running"];

const UNAUTHORIZED =
  /refused this agent \(401|takes no agent for job .*\(401|\b(HTTP|status|code)\b\W{0,3}401\b|\b401 Unauthorized/i;
const TAKEN = /another process is connected as agent/i;
const OVER_CAP =
  /as many agents are connected as|over the (parallelism )?cap|parallelism .*(exceeded|reached)|too many (agents|connections)/i;
const DRAINED = /\bdrain(ed)?\b.*(nothing is in flight|in flight|received|: \d+ session)|received drain/i;
const STALL = /^stall: |no frame since|may wait in line, or the gateway is stuck/i;
const UNREACHABLE =
  /no tunnel: (?!as many)|No tunnel to|Connect call failed|Connection refused|Name or service not known|getaddrinfo/i;
const CLOSED =
  /(websocket|connection|link|tunnel).*\b(closed|lost|dropped|broke off)\b|ConnectionClosed|received 1\d{3}/i;
const HANDLER_FAULT = /\bThe handler failed in \w+/;
const CONNECTS = /-> (QUEUED|WARMUP|RUNNING)\b|\bRUNNING\b/;
const WARMUP = /\bWARMUP\b/;
const RUNNING = /\bRUNNING\b/;

/** Finds what ails an agent, in what it said and how it ended. The last words count: an old fault may be over. */
export function findAgentSign(agent: AgentSymptoms): AgentSign {
  const { state, ends, isLive } = agent;
  if (state === "drained" || state === "draining") return { ailment: "drained", line: `it is ${state}` };
  const killed = ends.findLast(({ reason }) => reason === "oom");
  if (killed !== undefined) return { ailment: "memory", line: describeEnd(killed) };
  const words = listLastWords(agent);
  const late = listLateWords(words);
  const told = (ailment: AgentAilment, pattern: RegExp): AgentSign[] => {
    const found = late.find((text) => pattern.test(text));
    return found === undefined ? [] : [{ ailment, line: found }];
  };
  const isConnected = CONNECTED.includes(state);
  const signs: AgentSign[] = [
    ...(isLive ? [] : told("drained", DRAINED)),
    ...(isConnected ? told("stalled", STALL) : []),
    ...(isConnected
      ? []
      : [...told("unauthorized", UNAUTHORIZED), ...told("taken", TAKEN), ...told("over_cap", OVER_CAP)]),
    ...findWarmUp(agent, words),
    ...(isConnected ? [] : told("unreachable", UNREACHABLE)),
    ...findDrops(agent, late),
    ...findFailure(agent, words),
  ];
  return signs[0] ?? { ailment: "none", line: `it is ${state}` };
}

/** The line in which an agent tells that its handler failed at a frame; undefined: none of the last ones does. */
export function findHandlerFault(agent: AgentSymptoms): string | undefined {
  return listLastWords(agent).find((text) => /\bThe handler failed in handle/.test(text));
}

/** The newest first. */
function listLastWords({ logTail, events }: AgentSymptoms): string[] {
  const lines = logTail.split("\n").filter((line) => line.trim() !== "");
  return [...lines.slice(-LAST_LINES).reverse(), ...[...events].reverse().slice(0, LAST_LINES)];
}

/** Those since it last connected: what it said of its dials before is over. */
function listLateWords(words: readonly string[]): readonly string[] {
  const connected = words.findIndex((text) => CONNECTS.test(text));
  return connected === -1 ? words : words.slice(0, connected);
}

function findWarmUp(agent: AgentSymptoms, words: readonly string[]): AgentSign[] {
  const { state, isLive, sinceS, logTail, ends } = agent;
  const lastTurn = words.find((text) => WARMUP.test(text) || RUNNING.test(text)) ?? "";
  const isWarming = state === "warmup" || (!isLive && WARMUP.test(lastTurn) && !RUNNING.test(lastTurn));
  if (!isWarming) return [];
  const { exception } = findEnding(logTail);
  if (isLive && exception.length === 0)
    return (sinceS ?? 0) < LONG_WARMUP_S
      ? []
      : [{ ailment: "warmup_long", line: `in WARMUP for ${sinceS} s` }];
  return [{ ailment: "warmup_failed", line: findFault(words) ?? exception[0] ?? describeEnd(ends.at(-1)) }];
}

/** The handler's own error as our agents tell it, else the last line that names one. */
function findFault(words: readonly string[]): string | undefined {
  return (
    words.find((text) => HANDLER_FAULT.test(text)) ?? words.find((text) => /\w(Error|Exception)\b/.test(text))
  );
}

/** Programs that are not ours tell of no cap: they only see their links end, one after the other. */
function findDrops({ state, isLive }: AgentSymptoms, words: readonly string[]): AgentSign[] {
  if (CONNECTED.includes(state)) return [];
  const ends = words.filter((text) => CLOSED.test(text));
  const isOften = ends.length >= FEW_ENDS || (!isLive && ends.length > 0);
  return isOften ? [{ ailment: "dropping", line: ends[0] as string }] : [];
}

function findFailure({ ends, isLive }: AgentSymptoms, words: readonly string[]): AgentSign[] {
  const last = ends.at(-1);
  if (isLive || last === undefined || last.reason === "stopped") return [];
  if (last.reason === "exited" && last.exitCode === 0) return [];
  // Ours say what to do below their error; the last line is not the one that tells.
  const told = last.exitCode === 1 ? words.find((text) => /\berror: /.test(text)) : undefined;
  return [{ ailment: "failed", line: told ?? describeEnd(last) }];
}

function describeEnd(end: AttemptEnd | undefined): string {
  if (end === undefined) return "it ended";
  return end.evidence ?? (end.exitCode === null ? end.reason : `exit code ${end.exitCode}`);
}
