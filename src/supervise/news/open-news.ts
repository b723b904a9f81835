import type { Desk } from "../desk.ts";
import { areNoticesSet } from "./are-notices-set.ts";
import type { News } from "./news.ts";

/**
 * null where nothing is set, or what is set cannot be read: that is told by the watcher, at the launch and by the doctor. It
 * never throws. What makes notices is loaded only where there is somebody to tell.
 */
export async function openNews(desk: Desk): Promise<News | null> {
  if (!areNoticesSet(desk)) return null;
  try {
    const { loadChannels } = await import("./load-channels.ts");
    const channels = await loadChannels(desk);
    if (channels.notifiers.length === 0) return null;
    const { makeNews } = await import("./make-news.ts");
    return makeNews(desk, channels);
  } catch {
    return null; // told by others
  }
}
