import { describeFault } from "../base/error.ts";
import type { Desk } from "../supervise/desk.ts";
import { areNoticesSet } from "../supervise/news/are-notices-set.ts";
import type { Io } from "./io.ts";

/** Says once, at a launch, that what is set for notices is broken: the run is launched all the same. */
export async function warnNotices(io: Io, desk: Desk): Promise<void> {
  if (!areNoticesSet(desk)) return;
  const { loadChannels } = await import("../supervise/news/load-channels.ts");
  try {
    for (const warning of (await loadChannels(desk)).warnings) io.warn(`warning: ${warning}`);
  } catch (fault) {
    io.warn(`warning: no notices are sent. ${describeFault(fault)}`);
  }
}
