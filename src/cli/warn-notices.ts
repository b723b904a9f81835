import type { Desk } from "../supervise/desk.ts";
import { areNoticesSet } from "../supervise/news/are-notices-set.ts";
import type { Io } from "./io.ts";

/** Says once, at a launch, that what is set for notices is broken: the run is launched all the same. */
export async function warnNotices(io: Io, desk: Desk): Promise<void> {
  if (!areNoticesSet(desk)) return;
  const { loadChannels } = await import("../supervise/news/load-channels.ts");
  const { notifiers, faults, warnings } = await loadChannels(desk);
  const left = notifiers.length === 0 ? "no notices are sent" : `notices go by ${listNames(notifiers)} alone`;
  for (const { message } of faults) io.warn(`warning: ${left}. ${message}`);
  for (const warning of warnings) io.warn(`warning: ${warning}`);
}

function listNames(notifiers: readonly { readonly channel: string }[]): string {
  return notifiers.map(({ channel }) => channel).join(" and ");
}
