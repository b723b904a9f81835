/** In bytes of UTF-8. */
const MAX_AGENT_ID_BYTES = 64;

/** Control characters, halves of characters, and line ends: they would break logs, and some cannot be sent. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Why a text cannot be the id of an agent, as the end of a sentence about it (`is empty`); undefined for one that can. Both
 * sides go by this: an agent before it dials, a gateway when it is dialled.
 */
export function findAgentIdFault(agentId: string): string | undefined {
  if (agentId.trim() === "") return "is empty";
  const bytes = new TextEncoder().encode(agentId).length;
  if (bytes > MAX_AGENT_ID_BYTES) return `has ${bytes} bytes: at most ${MAX_AGENT_ID_BYTES} are allowed`;
  return UNFIT.test(agentId) ? "holds characters that cannot be printed" : undefined;
}
