import type { GatewayEvent } from "../gateway-event.ts";
import { describeEvent, type LogLine } from "./describe-event.ts";

/** Of one subject and reason a line comes at most once in this time. */
const PAUSE_MS = 1_000;
/** So many subjects have lines of their own in that time: what dials may name another job each time. */
const MOST_SUBJECTS = 20;
/** What others make up is cut after this. */
const MOST_CHARACTERS = 200;

interface Told {
  readonly line: LogLine;
  readonly atMs: number;
  leftOut: number;
}

/**
 * Makes the lines of events, so that nobody from outside can fill the disk with them: what anybody can make happen as often as
 * they like has a line a second for each subject and reason. The next line says how many were left out; where none like it
 * comes, one that follows any later event does.
 */
export function makeLines(): (event: GatewayEvent) => LogLine[] {
  const told = new Map<string, Map<string, Told>>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    const { type, monotonicMs } = event;
    const lines: LogLine[] = [];
    const line = describeEvent(event);
    if (line !== undefined) {
      const subject = findSubject(event);
      const shown = isFault(event) ? line : shorten(line);
      if (subject === undefined) lines.push(shown);
      else lines.push(...thinOut(findSubjects(told, type), subject, shown, monotonicMs));
    }
    if (monotonicMs - lookedAtMs >= PAUSE_MS) {
      lookedAtMs = monotonicMs;
      for (const subjects of told.values()) lines.push(...forgetOld(subjects, monotonicMs));
    }
    return lines;
  };
}

function findSubjects(told: Map<string, Map<string, Told>>, type: string): Map<string, Told> {
  const known = told.get(type) ?? new Map<string, Told>();
  told.set(type, known);
  return known;
}

function thinOut(subjects: Map<string, Told>, subject: string, line: LogLine, nowMs: number): LogLine[] {
  const isOneTooMany = !subjects.has(subject) && subjects.size >= MOST_SUBJECTS && !subject.startsWith(OWN);
  const key = isOneTooMany ? "" : subject;
  const before = subjects.get(key);
  if (before !== undefined && nowMs - before.atMs < PAUSE_MS) {
    before.leftOut += 1;
    return [];
  }
  subjects.set(key, { line, atMs: nowMs, leftOut: 0 });
  return [addCount(line, before?.leftOut ?? 0)];
}

function forgetOld(subjects: Map<string, Told>, nowMs: number): LogLine[] {
  const lines: LogLine[] = [];
  for (const [key, { line, atMs, leftOut }] of subjects) {
    if (nowMs - atMs < PAUSE_MS) continue;
    subjects.delete(key);
    if (leftOut > 0) lines.push(addCount({ ...line, message: `${line.message}, and more like it` }, leftOut));
  }
  return lines;
}

function addCount(line: LogLine, leftOut: number): LogLine {
  return leftOut === 0 ? line : { ...line, fields: { ...line.fields, left_out: leftOut } };
}

/** An agent that was admitted: there are no more of them than the jobs of users allow. */
const OWN = "agent ";

/** Of whom and what there is a line a second; undefined: every line counts. */
function findSubject(event: GatewayEvent): string | undefined {
  const { type, jobUuid, agentId } = event;
  switch (type) {
    case "refused":
      return `${jobUuid.slice(0, MOST_CHARACTERS)} ${event.why}`;
    case "simulator_refused":
      return `${findHost(event.peer)} ${event.status}`;
    case "simulator_connected":
      return `${findHost(event.peer)} ${event.board}`;
    case "simulator_gone":
      return `${findHost(event.peer)} ${event.board} ${event.code} ${event.by}`;
    case "dialed":
    case "ready":
    case "link_closed":
    case "warm_up_failed":
    case "malformed_frame":
    case "ignored_control":
    case "reply":
    case "reply_unknown_session":
      return `${OWN}${jobUuid} ${agentId}`;
    default:
      return isFault(event) ? event.why : undefined;
  }
}

function isFault(event: GatewayEvent): event is Extract<GatewayEvent, { type: `${string}_fault` }> {
  return event.type.endsWith("_fault");
}

/** `203.0.113.7` of `203.0.113.7:50432`: each dial comes from another port. */
function findHost(peer: string): string {
  return peer.replace(/:\d+$/, "");
}

function shorten(line: LogLine): LogLine {
  const fields = Object.entries(line.fields).map(([name, value]) => [name, shortenText(value)]);
  return { ...line, fields: Object.fromEntries(fields) };
}

function shortenText(value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > MOST_CHARACTERS;
  return isLong ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
}
