import type { Desk } from "../desk.ts";
import { areNoticesSet } from "./are-notices-set.ts";
import { findNextNoticeMs } from "./notice-rows.ts";
import type { NewsPass } from "./run-news.ts";

const EVERY_MS = 2_000;
/** For what is to be sent later than that the watcher does not stay: the next command starts it again. */
const STAY_MS = 5 * 60_000;

/** The watcher's part that tells the person: it works beside all else, and holds nothing up. */
export interface NewsDesk {
  /** Begins the next pass where its time has come, and answers at once. @throws what the database does */
  tick(): void;
  isBusy(): boolean;
  /** Whether something is to be sent in the next minutes. */
  isWorkLeft(): boolean;
  /** Resolves when nothing is under way any more. */
  end(): Promise<void>;
}

/** @param wake is called when a pass has ended */
export function makeNewsDesk(desk: Desk, pass: NewsPass, wake: () => void): NewsDesk {
  let busy: Promise<void> | null = null;
  let dueMs = 0;
  return {
    tick: () => {
      const nowMs = desk.clock.monotonicMs();
      if (busy !== null || (nowMs < dueMs && !isNoticeDue(desk))) return;
      dueMs = nowMs + EVERY_MS;
      busy = lookOnce(desk, pass)
        .catch((fault) => pass.tell("notices", fault))
        .finally(() => {
          busy = null;
          wake();
        });
    },
    isBusy: () => busy !== null,
    isWorkLeft: () => isNoticeDue(desk, STAY_MS),
    end: async () => {
      await busy;
    },
  };
}

/** Whether a notice is to be sent within that time. */
export function isNoticeDue({ store, clock }: Desk, withinMs = 0): boolean {
  const nextMs = findNextNoticeMs(store);
  return nextMs !== null && nextMs - clock.now().getTime() <= withinMs;
}

/** Where nobody wants notices, nothing of them is loaded. */
async function lookOnce(desk: Desk, pass: NewsPass): Promise<void> {
  if (!areNoticesSet(desk) && findNextNoticeMs(desk.store) === null) return;
  const { runNews } = await import("./run-news.ts");
  await runNews(desk, pass);
}
