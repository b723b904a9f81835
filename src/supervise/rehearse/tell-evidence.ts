import type { Close, Evidence, Exchange, TunnelStory } from "./evidence.ts";

/** A link that ends so soon after an error was sent ended for the same reason. */
const SOON_MS = 2_000;

/**
 * An agent whose handler crashed sends errors in the place of answers until it is gone. That is told once, by the check
 * that agents stay: those answers count as lost, and what was tried with the agent meanwhile as not tried.
 */
export function setDyingWordsApart(evidence: Evidence): Evidence {
  return evidence.tunnels.reduce(setApart, evidence);
}

function setApart(evidence: Evidence, tunnel: TunnelStory): Evidence {
  const { agentId } = tunnel;
  const own = evidence.exchanges.filter((exchange) => exchange.agentId === agentId);
  const words = listDyingWords(own, tunnel.closes.at(-1));
  const [first] = words;
  if (first === undefined) return evidence;
  const isLast = (close: Close) => close === tunnel.closes.at(-1);
  const closes = tunnel.closes.map((close) =>
    isLast(close) ? { ...close, during: "observation" as const } : close,
  );
  return {
    ...evidence,
    tunnels: evidence.tunnels.map((story) => (story === tunnel ? { ...story, closes } : story)),
    exchanges: evidence.exchanges.map((exchange) =>
      words.includes(exchange)
        ? { ...exchange, outcome: "lost", latencyMs: undefined, issues: [] }
        : exchange,
    ),
    probes: evidence.probes.filter((probe) => probe.agentId !== agentId || probe.atMs < first.sentAtMs),
  };
}

/** The errors at the very end, where the agent went away right after them by itself. */
function listDyingWords(own: readonly Exchange[], close: Close | undefined): Exchange[] {
  if (close === undefined || ["cut", "drain", "stop"].includes(close.during)) return [];
  const answered = own.filter(({ outcome }) => outcome === "answered");
  const end = answered.at(-1);
  if (end === undefined || close.atMs - end.sentAtMs - (end.latencyMs ?? 0) > SOON_MS) return [];
  const lastGood = answered.findLastIndex(
    ({ issues }) => !issues.some(({ name }) => name === "error-envelope"),
  );
  return answered.slice(lastGood + 1);
}
