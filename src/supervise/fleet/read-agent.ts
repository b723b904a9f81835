import { posix } from "node:path";
import type { FileRange, RangeWish } from "../../runs/file-ranges.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Target } from "../../targets/target.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { type AgentNews, foldLines, NO_NEWS } from "./fold-news.ts";

/** What an agent's files say. */
export interface AgentFiles {
  /** null: it writes no events, as a program that is not ours. */
  readonly news: AgentNews | null;
  /** None of its events was passed over, so that they can be counted. */
  readonly isCounted: boolean;
  /** The beginning and the end of a launcher script's log. */
  readonly logEnds: string;
}

interface Place {
  /** How far the events file was read. */
  readonly offset: number;
  /** The line that was not whole. */
  readonly rest: Buffer;
  readonly news: AgentNews;
  readonly isCounted: boolean;
}

/** How far the events of each run were read, by its id: who looks often reads each line once. */
export type AgentMemory = Map<string, Place>;

const BLOCK_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
/** More than this is not fetched over a network just to be counted. */
const MOST_BEHIND_BYTES = 8 * 1024 * 1024;
const ANSWER_MS = 10_000;

const NO_FILES: AgentFiles = { news: null, isCounted: true, logEnds: "" };
const START: Place = { offset: 0, rest: Buffer.alloc(0), news: NO_NEWS, isCounted: true };

/** For who looks again and again, and counts from the beginning; hand the same one to each look. */
export function makeAgentMemory(): AgentMemory {
  return new Map();
}

/** The files of one agent. */
export async function readAgent(desk: Desk, run: RunRecord, memory: AgentMemory | null): Promise<AgentFiles> {
  return (await readAgents(desk, [run], memory))[0] as AgentFiles;
}

/**
 * The files of a fleet's agents, all on one host, by one question. Without a memory only the end of the events is read: the
 * state is right, the counts are not. @throws what keeps a host over the network from answering
 */
export async function readAgents(
  desk: Desk,
  runs: readonly RunRecord[],
  memory: AgentMemory | null,
): Promise<AgentFiles[]> {
  const started = runs.filter(({ startedAt }) => startedAt !== null);
  const [first] = started;
  if (first === undefined) return runs.map(() => NO_FILES);
  const target = findTargetOf(desk, first);
  const scripts = started.filter(({ seat }) => seat?.runner === "script");
  const wishes = started.map((run) => wishEvents(run, memory));
  const ranges = await askFor(target, [...wishes, ...scripts.flatMap(wishLogEnds)]);
  const found = new Map<string, AgentFiles>();
  for (const [place, run] of started.entries()) {
    found.set(run.id, await readEvents(target, run, ranges[place] as FileRange, memory));
  }
  const ends = ranges.slice(started.length);
  for (const [place, run] of scripts.entries()) {
    const logEnds = joinEnds(ends[2 * place] as FileRange, ends[2 * place + 1] as FileRange);
    found.set(run.id, { ...(found.get(run.id) ?? NO_FILES), logEnds });
  }
  return runs.map(({ id }) => found.get(id) ?? NO_FILES);
}

function askFor(target: Target, wishes: readonly RangeWish[]): Promise<FileRange[]> {
  return target.readRanges(wishes, { timeoutMs: ANSWER_MS });
}

function wishEvents({ id, jobFolder, remote }: RunRecord, memory: AgentMemory | null): RangeWish {
  const path = posix.join(jobFolder, "agent.jsonl");
  const end = (behind: number) => ({ jump: { behind, keep: TAIL_BYTES } });
  if (memory === null) return { path, from: 0, most: TAIL_BYTES, ...end(TAIL_BYTES) };
  const from = memory.get(id)?.offset ?? 0;
  return { path, from, most: BLOCK_BYTES, ...(remote ? end(MOST_BEHIND_BYTES) : {}) };
}

/** Whether a program came up stands at the beginning. */
function wishLogEnds({ log }: RunRecord): RangeWish[] {
  const wish = { path: log, from: 0, most: TAIL_BYTES };
  return [wish, { ...wish, jump: { behind: TAIL_BYTES, keep: TAIL_BYTES } }];
}

function joinEnds(beginning: FileRange, end: FileRange): string {
  const parts = end.from === 0 ? [end] : [beginning, end];
  return parts.map(({ bytes }) => bytes.toString("utf8")).join("\n");
}

/** Block by block to the present end, of which the first is there already. */
async function readEvents(
  target: Target,
  run: RunRecord,
  first: FileRange,
  memory: AgentMemory | null,
): Promise<AgentFiles> {
  let range: FileRange | undefined = first;
  let place = memory?.get(run.id) ?? START;
  while (range) {
    place = foldRange(place, range);
    memory?.set(run.id, place);
    const isLast: boolean = range.bytes.length < BLOCK_BYTES;
    range = isLast ? undefined : (await askFor(target, [wishEvents(run, memory)]))[0];
  }
  if (place.offset === 0) return NO_FILES;
  return { news: place.news, isCounted: place.isCounted, logEnds: "" };
}

/** A line whose beginning was passed over is none. */
function foldRange(place: Place, { from, bytes }: FileRange): Place {
  const isNext = from === place.offset;
  const known = Buffer.concat(isNext ? [place.rest, bytes] : [bytes]);
  const end = known.lastIndexOf(10) + 1;
  const lines = known.subarray(0, end).toString("utf8").split("\n");
  return {
    offset: from + bytes.length,
    rest: known.subarray(end),
    news: foldLines(place.news, lines),
    isCounted: place.isCounted && isNext,
  };
}
