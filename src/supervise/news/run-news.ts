import type { Desk } from "../desk.ts";
import type { TellFault } from "../watcher-log.ts";
import { loadChannels } from "./load-channels.ts";
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
 * sent. Settings that cannot be used are told, and keep no run from anything. It ends within some 25 s whatever the servers do.
 * @throws what the database does
 */
export async function runNews(desk: Desk, { signal, tell, isSilentFor }: NewsPass): Promise<void> {
  const channels = await loadChannels(desk);
  const { notifiers, faults, warnings } = channels;
  for (const [place, fault] of [...faults, ...warnings].entries()) tell(`notices ${place}`, fault);
  const names = notifiers.map(({ channel }) => channel);
  dropUnset(desk, names, { isKnown: faults.length === 0 });
  if (notifiers.length === 0) return;
  await sweepNews(desk, makeNews(desk, channels), isSilentFor);
  await sendNews(desk, notifiers, { signal, tell });
  sweepNotices(desk.store, desk.clock.now());
}
