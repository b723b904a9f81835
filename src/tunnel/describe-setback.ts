import type { LinkEnd } from "./link.ts";

/** How a link ended, in words. */
export function describeLinkEnd({ code, reason, says }: LinkEnd): string {
  if (says !== undefined) return says;
  if (code === 1006) return "the link broke off";
  return `the gateway closed the link with ${code}${reason && ` (${reason})`}`;
}

/** Why an agent is refused for now. A gateway that gives no reason may also mean that its id is in use. */
export function describeCap(words: string, mayBeTaken: boolean): string {
  const cap = "as many agents are connected as the job or the account allows; this one waits for its turn";
  const other = mayBeTaken ? ", or another process is connected with this agent id" : "";
  return `${cap}${other}${words && ` (${words})`}`;
}

export function describePause(delayMs: number): string {
  return delayMs < 1000 ? `${Math.round(delayMs)} ms` : `${(delayMs / 1000).toFixed(1)} s`;
}
