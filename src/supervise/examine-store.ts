import { existsSync, readdirSync } from "node:fs";
import { describeFault, SortieError } from "../base/error.ts";
import { findHome } from "../disk/home.ts";
import { isProcessAlive } from "../process/identity.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { listAwayRuns, listLiveRuns } from "../runs/run-store.ts";
import { closeDesk, type Desk, type Environment, openDesk } from "./desk.ts";
import { type Finding, makeFinding } from "./finding.ts";
import { settleRuns } from "./settle-runs.ts";
import { isWatchable } from "./watcher.ts";
import { readWatcherCard } from "./watcher-card.ts";

const ELSEWHERE =
  "They may live in another container: look there. One whose container is gone for good is forgotten with `sortie clean --lost RUN`.";

/** The database, and what it knows of runs and their watcher. One that is not there is not made. */
export async function examineStore(options: {
  env: Environment;
  self: readonly string[];
}): Promise<Finding[]> {
  const home = findHome(options.env);
  if (!existsSync(home.database)) return [examineAbsence(home.jobs)];
  let desk: Desk;
  try {
    desk = openDesk(options);
  } catch (fault) {
    return [makeFault("database", fault)];
  }
  try {
    const database = examineDatabase(desk);
    if (database.level === "bad") return [database]; // what it says of runs may be wrong
    return [database, await examineRuns(desk), examineWatcher(desk)];
  } finally {
    closeDesk(desk);
  }
}

function examineAbsence(jobs: string): Finding {
  const isLost = existsSync(jobs) && readdirSync(jobs).length > 0;
  if (!isLost) return makeFinding("database", "ok", "none yet, made at the first run");
  const advice = "Take the runs up again with `sortie adopt`.";
  return makeFinding("database", "warning", "there is none, though runs were launched", advice);
}

function examineDatabase(desk: Desk): Finding {
  try {
    const check = String(desk.store.find("PRAGMA quick_check")?.["quick_check"]);
    if (check !== "ok") throw new SortieError("store_corrupt", { path: desk.store.path, reason: check });
    listLiveRuns(desk.store); // its tables are those of Sortie
    return makeFinding("database", "ok", desk.store.path);
  } catch (fault) {
    return makeFault("database", fault);
  }
}

async function examineRuns(desk: Desk): Promise<Finding> {
  try {
    await settleRuns(desk);
    return describeRuns(listLiveRuns(desk.store), listAwayRuns(desk.store));
  } catch (fault) {
    return makeFault("runs", fault);
  }
}

function describeRuns(live: readonly RunRecord[], away: readonly RunRecord[]): Finding {
  const hidden = live.filter((run) => !run.reachable);
  const [silence] = hidden.flatMap((run) => run.silence ?? []);
  if (hidden.length > 0) {
    const names = hidden.map((run) => `${run.name} on ${run.host}`).join(", ");
    return makeFinding("runs", "warning", `cannot be seen from here: ${names}`, silence?.hint ?? ELSEWHERE);
  }
  if (away.length > 0) {
    const names = away.map((run) => run.name).join(", ");
    return makeFinding(
      "runs",
      "warning",
      `not brought home: ${names}`,
      "Bring them home with `sortie collect RUN`.",
    );
  }
  return makeFinding("runs", "ok", `${live.length} alive`);
}

function examineWatcher(desk: Desk): Finding {
  const card = readWatcherCard(desk.home);
  if (card && isProcessAlive(card.identity))
    return makeFinding("watcher", "ok", `process ${card.identity.pid}, since ${card.since}`);
  if (!listLiveRuns(desk.store).some(isWatchable))
    return makeFinding("watcher", "ok", "none, nothing is left to watch");
  return makeFinding(
    "watcher",
    "warning",
    "runs are alive and none watches them",
    "The next `sortie run` starts one, as does `sortie watch`.",
  );
}

function makeFault(what: string, fault: unknown): Finding {
  return makeFinding(what, "bad", describeFault(fault), fault instanceof SortieError ? fault.hint : null);
}
