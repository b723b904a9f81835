import type { Clock } from "../base/clock.ts";
import { makeControl } from "../wire/control.ts";
import type { AgentJournal } from "./agent-journal.ts";
import type { Link } from "./link.ts";

/**
 * Loads the handler and says `ready` over the link that asked for it; false where that link is gone by then. Where it was
 * loaded before, it is ready at once. SortieError of the handler.
 */
export async function warmUp(
  link: Link,
  load: () => Promise<void>,
  { clock, journal }: { readonly clock: Clock; readonly journal: AgentJournal },
): Promise<boolean> {
  const startedMs = clock.monotonicMs();
  await load();
  const seconds = ((clock.monotonicMs() - startedMs) / 1000).toFixed(1);
  if (!link.sendText(makeControl({ type: "ready" }))) return false;
  journal.log("info", `loaded in ${seconds} s: ready`);
  return true;
}
