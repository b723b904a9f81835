import type { Desk } from "../desk.ts";
import type { TellFault } from "../watcher-log.ts";
import { type Channels, loadChannels } from "./load-channels.ts";
import { makeNews } from "./make-news.ts";
import { sweepNotices } from "./notice-rows.ts";
import { dropUnset, sendNews } from "./send-news.ts";
import { sweepNews } from "./sweep-news.ts";

export interface NewsPass {
  readonly signal: AbortSignal;
  readonly tell: TellFault;
  readonly isSilentFor: (host: string) => boolean;
}

/**
 * One pass of the watcher over what there is to tell: the settings are read anew, records are looked through, what is due is
 * sent. It ends within some 25 s whatever the servers do. @throws what the database does
 */
export async function runNews(desk: Desk, { signal, tell, isSilentFor }: NewsPass): Promise<void> {
  const channels = await loadQuietly(desk, tell);
  for (const warning of channels?.warnings ?? []) tell(`notices ${warning}`, warning);
  const notifiers = channels?.notifiers ?? [];
  dropUnset(
    desk,
    notifiers.map(({ channel }) => channel),
    { isKnown: channels !== null },
  );
  if (channels === null || notifiers.length === 0) return;
  await sweepNews(desk, makeNews(desk, channels), isSilentFor);
  await sendNews(desk, notifiers, { signal, tell });
  sweepNotices(desk.store, desk.clock.now());
}

/** null: they cannot be read, which is told and keeps no run from anything. */
async function loadQuietly(desk: Desk, tell: TellFault): Promise<Channels | null> {
  try {
    return await loadChannels(desk);
  } catch (fault) {
    tell("notices", fault);
    return null;
  }
}
