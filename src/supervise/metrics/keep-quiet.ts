import { settingDefaults } from "../../config/settings.ts";
import { appendEvent } from "../../runs/events.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { changeRun, loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { openNews } from "../news/open-news.ts";
import { makeQuietNotice } from "../news/trouble-notices.ts";

/**
 * Puts on record that a live run has printed nothing and used no GPU for as long as its settings say, or that it does again; the
 * first is told, too, once each time. @param quietS for how long, by the samples of its host
 */
export async function keepQuiet(desk: Desk, run: RunRecord, quietS: number): Promise<void> {
  const afterS = run.request.silentAfterS ?? settingDefaults.silent_after;
  const isQuiet = afterS > 0 && quietS >= afterS;
  if (isQuiet === Boolean(run.quietSince)) return;
  const now = desk.clock.now();
  const news = isQuiet ? await openNews(desk) : null;
  desk.store.together(() => {
    const { state, attempt, quietSince } = loadRun(desk.store, run.id);
    if (state !== "running" || attempt !== run.attempt || isQuiet === Boolean(quietSince)) return;
    const since = new Date(now.getTime() - quietS * 1000).toISOString();
    const changed = changeRun(desk.store, run.id, { quietSince: isQuiet ? since : null });
    appendEvent(desk.store, run.id, isQuiet ? "silent" : "heard_again", isQuiet ? { since } : null, now);
    news?.add(makeQuietNotice(changed, since, now));
  });
}
