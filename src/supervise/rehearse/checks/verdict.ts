import type { Verdict } from "../check-row.ts";
import type { Evidence, Exchange, TunnelStory } from "../evidence.ts";

export function pass(detail = ""): Verdict {
  return { ok: true, detail };
}

export function fail(detail: string): Verdict {
  return { ok: false, detail };
}

/** Undefined where there is nothing to look at; else whether none of it is bad, told by the first that is. */
export function judgeAll<Item>(
  items: readonly Item[],
  isBad: (item: Item) => boolean,
  { good = () => "", bad }: { good?: (items: readonly Item[]) => string; bad: (item: Item) => string },
): Verdict | undefined {
  if (items.length === 0) return undefined;
  const faults = items.filter(isBad);
  const [first] = faults;
  if (first === undefined) return pass(good(items));
  return fail(`${bad(first)}${faults.length > 1 ? ` (${faults.length} of ${items.length} times)` : ""}`);
}

/** The agent ids of the agents as they were started; an id more is one that an agent gave itself later. */
export function listFirstTunnels({ tunnels, terms }: Evidence): readonly TunnelStory[] {
  return tunnels.slice(0, terms.agents);
}

/** Tunnels that came as far as `ready`. */
export function listReadyTunnels({ tunnels }: Evidence): TunnelStory[] {
  return tunnels.filter(({ readyAtMs }) => readyAtMs !== undefined);
}

export function listAnswered({ exchanges }: Evidence): Exchange[] {
  return exchanges.filter(({ outcome }) => outcome === "answered");
}

/** What the agents last said, as the end of a sentence; of the first that ended badly, else of the first. */
export function quoteLog({ processes }: Evidence): string {
  const worst = processes.find(({ exitCode }) => exitCode !== 0) ?? processes[0];
  const lines = (worst?.logTail ?? []).filter((line) => line.trim() !== "");
  return lines.length === 0 ? "" : `; its log ends with: ${lines.slice(-3).join(" | ")}`;
}

/** `12 ms`, `1.24 s`. */
export function showMs(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}

export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
