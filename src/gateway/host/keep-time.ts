import { join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { writeSetting } from "../records/settings.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import { obeyOrders } from "./obey-orders.ts";
import { LOCK_FILE } from "./take-data-folder.ts";
import { watchPlaces } from "./watch-places.ts";

/** The setting that says when a gateway last worked on this database. */
export const ALIVE_AT = "alive_at";

const TICK_MS = 1_000;

/**
 * Once a second: the database is looked for in its place, what an organiser ordered is done, agents are written down, what could not be written is tried again, and
 * that this gateway lives is on record. Returns what ends it, after a last time.
 */
export function startTicks(desk: ChallengeDesk, jobs: ChallengeJobs): () => void {
  const { ledger, records, book, clock } = desk;
  const ending = new AbortController();
  const findMisplaced = watchPlaces([records.path, join(desk.config.dataFolder, LOCK_FILE)]);
  const steps = [
    () => notePlaces(desk, findMisplaced()),
    () => ledger.flush(),
    () => obeyOrders(desk, jobs),
    () => book.flush((id) => jobs.find(id), clock.now()),
    () => {
      writeSetting(records, ALIVE_AT, clock.now().toISOString());
      desk.pulse.wroteAtMs = clock.monotonicMs();
    },
  ];
  /** What cannot be done now is done the next time. */
  const tick = () => {
    for (const step of steps) {
      try {
        step();
      } catch (fault) {
        desk.report("", "", { type: "store_fault", why: describeFault(fault) });
        // Each step would wait in vain for the same database, and everything with it.
        if (fault instanceof SortieError) return;
      }
    }
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      tick();
      await desk.clock.sleep(TICK_MS, ending.signal);
    }
  };
  void run();
  return () => {
    ending.abort();
    tick();
  };
}

/** Told once: what is written meanwhile goes to files that nobody finds any more. */
function notePlaces({ pulse, report }: ChallengeDesk, why: string | undefined): void {
  if (why !== undefined && pulse.misplaced !== why) report("", "", { type: "store_fault", why });
  pulse.misplaced = why;
}
