import { join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { listLiveJobIds } from "../records/jobs.ts";
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
 * Once a second: database and recordings are looked for in their place, what could not be written is tried again, what an
 * organiser ordered is done, jobs that could not be opened are, agents are written down, and that this gateway lives is on
 * record. Returns what ends it, after a last time.
 */
export function startTicks(desk: ChallengeDesk, jobs: ChallengeJobs): () => void {
  const { ledger, records, recorder, book, clock } = desk;
  const ending = new AbortController();
  const findMisplaced = watchPlaces([records.path, join(desk.config.dataFolder, LOCK_FILE)]);
  const steps = [
    () => notePlaces(desk, findMisplaced()),
    () => recorder?.keepFolder(),
    () => ledger.flush(),
    () => obeyOrders(desk, jobs),
    () => openMissed(desk, jobs),
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

/**
 * Jobs that are on record, and yet could not be read when they were to be opened. What waits to be written may be their
 * end.
 */
function openMissed({ records, ledger }: ChallengeDesk, jobs: ChallengeJobs): void {
  if (ledger.waiting > 0) return;
  for (const id of listLiveJobIds(records)) if (jobs.find(id) === undefined) jobs.open(id);
}

/** Told once: what is written meanwhile goes to files that nobody finds any more. */
function notePlaces({ pulse, report }: ChallengeDesk, why: string | undefined): void {
  if (why !== undefined && pulse.misplaced !== why) report("", "", { type: "store_fault", why });
  pulse.misplaced = why;
}
