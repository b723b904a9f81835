import { LONGEST_PAUSE_MS } from "./back-off.ts";
import type { OutboxEntry } from "./outbox.ts";

/** So many of one kind and phase go out as one, and at most so many together. */
const FEWEST_TOGETHER = 4;
const MOST_TOGETHER = 20;

export interface BatchPlan {
  /** What goes out now, one message each, the oldest first. */
  readonly batches: readonly (readonly OutboxEntry[])[];
  /** When the next of the others is due; null: there are none. */
  readonly nextAtMs: number | null;
}

/** What of the waiting entries goes out now, and what together. A kind is due with its oldest entry. */
export function planBatches(entries: readonly OutboxEntry[], nowMs: number): BatchPlan {
  const waiting = entries.filter(({ state }) => state === "waiting");
  const groups = listGroups(waiting);
  const isDue = (entry: OutboxEntry) => findDueMs(entry, nowMs) <= nowMs;
  const due = groups.filter((group) => group.some(isDue));
  const later = groups.filter((group) => !group.some(isDue)).flat();
  return {
    batches: due.flatMap(splitGroup).sort((a, b) => findAge(a) - findAge(b)),
    nextAtMs: later.length === 0 ? null : Math.min(...later.map((entry) => findDueMs(entry, nowMs))),
  };
}

/** By kind and phase. */
function listGroups(entries: readonly OutboxEntry[]): OutboxEntry[][] {
  const groups = new Map<string, OutboxEntry[]>();
  for (const entry of entries) {
    const name = `${entry.notice.kind}/${entry.notice.phase}`;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups.values()];
}

/** A time further off than any pause comes from a clock that was set back since. */
function findDueMs({ dueAtMs }: OutboxEntry, nowMs: number): number {
  return dueAtMs - nowMs > LONGEST_PAUSE_MS ? nowMs : dueAtMs;
}

function splitGroup(group: readonly OutboxEntry[]): OutboxEntry[][] {
  const size = group.length < FEWEST_TOGETHER ? 1 : MOST_TOGETHER;
  const batches: OutboxEntry[][] = [];
  for (let start = 0; start < group.length; start += size) batches.push(group.slice(start, start + size));
  return batches;
}

function findAge(batch: readonly OutboxEntry[]): number {
  return batch[0]?.addedAtMs ?? 0;
}
