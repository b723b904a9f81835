import type { Clock } from "../base/clock.ts";
import type { AgentTimers } from "./agent-options.ts";
import type { Link, LinkEnd } from "./link.ts";
import type { Secrets } from "./secrets.ts";

export interface LinkUse {
  /** The link is one, and no refusal. Comes once, before its first frame. */
  readonly onAccepted: () => void;
  readonly onText: (text: string) => void;
  readonly onBinary: (fragments: readonly Uint8Array[]) => void;
  /** What of the words of a close is not to be shown. */
  readonly secrets: Secrets;
}

/**
 * Lets the frames of a link in; resolves with its end. A gateway may be silent at first, but one that refuses does so at
 * once: so a link counts as accepted at the first sign, or without one when the time for refusals is over.
 */
export async function serveLink(
  link: Link,
  { clock, timers }: { readonly clock: Clock; readonly timers: AgentTimers },
  { onAccepted, onText, onBinary, secrets }: LinkUse,
): Promise<LinkEnd> {
  const decided = new AbortController();
  const accept = () => {
    if (decided.signal.aborted) return;
    decided.abort();
    onAccepted();
  };
  const ended = new Promise<LinkEnd>((resolve) => {
    link.start({ onSign: accept, onText, onBinary, onEnd: resolve });
  });
  clock.sleep(timers.refusalMs, decided.signal).then(accept);
  const end = await ended;
  decided.abort();
  return { ...end, reason: secrets.clean(end.reason) };
}
