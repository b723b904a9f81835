import type { Verdict } from "../check-row.ts";
import type { Evidence, Exchange, ProcessStory, TunnelStory } from "../evidence.ts";

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

const QUOTED_LINES = 3;

/** What an agent that ended badly said last, as the end of a sentence: of its errors where it told any. */
export function quoteLog({ processes }: Evidence): string {
  const worst = processes.find(({ exitCode, wasStopped }) => exitCode !== 0 && !wasStopped);
  const lines = (worst?.logTail ?? []).filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /error|exception/i.test(line));
  const quoted = (errors.length > 0 ? errors : lines).slice(-QUOTED_LINES).map((line) => line.trim());
  return quoted.length === 0 ? "" : `; its log says: ${quoted.join(" | ")}`;
}

/** The last error in an ended agent's log and the hint below it, as Sortie's own agent tells them; else undefined. */
export function quoteOwnError({ logTail }: ProcessStory): string | undefined {
  const lines = logTail.map((line) => line.replace(/^\S+Z \[[^\]]*\] /, "").trim());
  const at = lines.findLastIndex((line) => line.startsWith("error: "));
  const hint = lines[at + 1];
  return at === -1 || !hint ? undefined : `; its log says: ${lines[at]} | ${hint}`;
}

/** `12 ms`, `1.24 s`. */
export function showMs(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
