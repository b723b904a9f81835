import { posix } from "node:path";
import { type LogSource, readLogEnd } from "../../runs/log-source.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { type AgentNews, foldLines, NO_NEWS } from "./fold-news.ts";

/** What an agent's files say. */
export interface AgentFiles {
  /** null: it writes no events, as a program that is not ours. */
  readonly news: AgentNews | null;
  /** The beginning and the end of its log, where there are no events. */
  readonly logEnds: string;
}

interface Place {
  /** How far the events file was read. */
  readonly offset: number;
  /** The line that was not whole. */
  readonly rest: Buffer;
  readonly news: AgentNews;
}

/** How far the events of each run were read, by its id: who looks often reads each line once. */
export type AgentMemory = Map<string, Place>;

const BLOCK_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;

/** For who looks again and again, and counts from the beginning; hand the same one to each look. */
export function makeAgentMemory(): AgentMemory {
  return new Map();
}

/** Without a memory only the end of the events is read: the state is right, the counts are not. */
export async function readAgent(desk: Desk, run: RunRecord, memory: AgentMemory | null): Promise<AgentFiles> {
  const target = findTargetOf(desk, run);
  const events = target.openFile(posix.join(run.jobFolder, "agent.jsonl"));
  const size = await events.size();
  if (size === 0) return { news: null, logEnds: await readEnds(target.openFile(run.log)) };
  const news =
    memory === null ? foldLines(NO_NEWS, await readLastLines(events)) : await goOn(events, run.id, memory);
  return { news, logEnds: "" };
}

/** Whether a program came up stands at the beginning. */
async function readEnds(log: LogSource): Promise<string> {
  const end = await readLogEnd(log, TAIL_BYTES);
  if ((await log.size()) <= TAIL_BYTES) return end;
  return `${Buffer.from(await log.read(0, TAIL_BYTES)).toString("utf8")}\n${end}`;
}

async function readLastLines(events: LogSource): Promise<string[]> {
  return (await readLogEnd(events, TAIL_BYTES)).split("\n");
}

async function goOn(events: LogSource, id: string, memory: AgentMemory): Promise<AgentNews> {
  let place = memory.get(id) ?? { offset: 0, rest: Buffer.alloc(0), news: NO_NEWS };
  for (;;) {
    const block = Buffer.from(await events.read(place.offset, BLOCK_BYTES));
    if (block.length === 0) return place.news;
    const bytes = Buffer.concat([place.rest, block]);
    const end = bytes.lastIndexOf(10) + 1;
    const lines = bytes.subarray(0, end).toString("utf8").split("\n");
    place = {
      offset: place.offset + block.length,
      rest: bytes.subarray(end),
      news: foldLines(place.news, lines),
    };
    memory.set(id, place);
  }
}
