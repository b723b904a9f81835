import type { Evidence, Exchange, TunnelStory } from "./evidence.ts";

/** A link that ends so soon after an error was sent ended for the same reason. */
const SOON_MS = 1_000;

/**
 * An agent whose handler crashed sends an error in the place of the answer and goes away. That is told once, by the
 * check that agents stay; the last answer counts as lost.
 */
export function setDyingWordsApart(evidence: Evidence): Evidence {
  const dying = new Set(
    evidence.tunnels.flatMap((tunnel) => findDyingWord(tunnel, evidence.exchanges) ?? []),
  );
  if (dying.size === 0) return evidence;
  const exchanges = evidence.exchanges.map((exchange) =>
    dying.has(exchange) ? { ...exchange, outcome: "lost" as const, issues: [] } : exchange,
  );
  return { ...evidence, exchanges };
}

function findDyingWord(
  { agentId, closes }: TunnelStory,
  exchanges: readonly Exchange[],
): Exchange | undefined {
  const close = closes.find(({ during }) => during === "observation" || during === "idle");
  const last = exchanges
    .filter((exchange) => exchange.agentId === agentId && exchange.outcome === "answered")
    .at(-1);
  if (close === undefined || last === undefined) return undefined;
  if (!last.issues.some(({ name }) => name === "error-envelope")) return undefined;
  const answeredAtMs = last.sentAtMs + (last.latencyMs ?? 0);
  return close.atMs - answeredAtMs < SOON_MS ? last : undefined;
}
