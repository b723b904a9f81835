import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import { collectResults } from "../runs/results.ts";
import type { ResultFile, RunRecord } from "../runs/run-record.ts";
import { changeRun, loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Transfer } from "../targets/target.ts";
import { bringHome } from "./bring-home.ts";
import type { Desk } from "./desk.ts";
import { endLeftovers } from "./end-leftovers.ts";
import { collectAlone, removeFetched } from "./fetch-home.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { listLogs } from "./home-logs.ts";
import { type Findings, tellEnd } from "./news/ended-notice.ts";
import type { News } from "./news/news.ts";
import { openNews } from "./news/open-news.ts";
import { countCost } from "./rent/count-cost.ts";
import { findResultsFolder } from "./results-folder.ts";

export interface CollectOptions {
  readonly to?: string | undefined;
  /** How far what comes from a host over the network is. */
  readonly onProgress?: (transfer: Transfer) => void;
}

/**
 * Brings home what the run made: its results and its log, with sizes and hashes; the values of its variables go. Doing
 * it twice is harmless. `to` makes a copy of what is home in one more place. @throws run_live, results_unwritable, results_place_taken
 */
export async function collectRun(desk: Desk, id: string, options: CollectOptions = {}): Promise<RunRecord> {
  const run = loadRun(desk.store, id);
  if (!isEnded(run.state)) throw new SortieError("run_live", { run: run.name, state: run.state });
  const home = run.results === null ? await collect(desk, run, options) : run;
  if (options.to !== undefined) await copyFromHome(home, options.to);
  return home;
}

/** From a host over the network the bytes are sent once: two that collect at the same time do not both fetch them. */
async function collect(desk: Desk, run: RunRecord, options: CollectOptions): Promise<RunRecord> {
  if (!run.remote && !run.modal) return recordCollection(desk, run, options);
  const home = await collectAlone(desk, run.id, (now) => collectAttended(desk, now, options));
  if (home.results !== null) removeFetched(desk, run.id);
  return home;
}

/** A rented machine must not be stopped under it. Loaded on demand: few runs are on one. */
async function collectAttended(desk: Desk, run: RunRecord, options: CollectOptions): Promise<RunRecord> {
  if (run.kind !== "vast") return recordCollection(desk, run, options);
  const { attendMachine } = await import("./rent/mark-attended.ts");
  return attendMachine(desk, { run: run.id, address: run }, () => recordCollection(desk, run, options));
}

async function recordCollection(
  desk: Desk,
  run: RunRecord,
  { onProgress }: CollectOptions,
): Promise<RunRecord> {
  try {
    await forgetSecrets(desk, run);
    await endLeftovers(desk, run);
    const news = await openNews(desk);
    if (run.startedAt === null)
      return keepHome(desk, run, { results: [], collectFault: null }, { news, findings: null });
    const into = findResultsFolder(desk, run);
    const { results, missing, doubts = [] } = await bringHome(desk, run, { into, onProgress });
    appendEvent(desk.store, run.id, "collected", { into, files: results.length }, desk.clock.now());
    const unsent = run.wandb?.mode === "online" ? await describeUnsent(desk, run) : [];
    const notes = [...run.notes, ...doubts, ...describeDoubts(results, missing), ...unsent];
    const home = { results, resultsFolder: into, collectFault: null, notes };
    const findings = await measure(desk, { ...run, ...home }, news !== null);
    return keepHome(desk, run, home, { news, findings });
  } catch (fault) {
    changeRun(desk.store, run.id, { collectFault: describeFault(fault) });
    throw fault;
  }
}

/** That a run is home is on record together with the news of its end: no crash leaves one without the other. */
function keepHome(
  desk: Desk,
  { id }: RunRecord,
  change: Partial<RunRecord>,
  { news, findings }: { news: News | null; findings: Findings | null },
): RunRecord {
  return desk.store.together(() => {
    const run = changeRun(desk.store, id, change);
    tellEnd(news, run, desk.clock.now(), { findings, costUsd: countCost(desk, run) });
    return run;
  });
}

/** Numbers are no reason for results not to come home. Loaded on demand: most commands bring nothing home. */
async function measure(desk: Desk, run: RunRecord, isTold: boolean): Promise<Findings | null> {
  if (run.seat) return null;
  try {
    const { measureEnd } = await import("./metrics/measure-end.ts");
    return await measureEnd(desk, run, { isTold });
  } catch {
    return null; // they are read again whenever they are asked for
  }
}

function describeDoubts(results: readonly ResultFile[], missing: readonly string[]): string[] {
  const restless = results.filter((file) => file.changing).map((file) => file.path);
  return [
    ...(restless.length > 0 ? [`still being written when it was copied: ${restless.join(", ")}`] : []),
    ...(missing.length > 0 ? [`gone before it could be brought home: ${missing.join(", ")}`] : []),
  ];
}

/** What W&B had not sent of an online run when its time for that was over. Loaded on demand, as most runs have nothing of it. */
async function describeUnsent(desk: Desk, run: RunRecord): Promise<string[]> {
  const { findOfflineRuns } = await import("./wandb/find-offline-runs.ts");
  const isWaiting = findOfflineRuns(desk, run).some(({ isSent }) => !isSent);
  return isWaiting
    ? [`W&B: not all of it was sent before the end; \`sortie wandb sync ${run.name}\` sends it`]
    : [];
}

/** From what is home, since the run's own folder may hold another run's files by now. @throws results_gone */
async function copyFromHome(run: RunRecord, into: string): Promise<void> {
  const { id, results, resultsFolder } = run;
  if (resultsFolder === null) return;
  // An earlier copy may have been changed since: a new one is made, or none.
  if (statSync(into, { throwIfNoEntry: false })?.isDirectory() && readdirSync(into).length > 0)
    throw new SortieError("results_place_taken", { path: into });
  const { missing } = await collectResults({
    run: id,
    folder: resultsFolder,
    results: (results ?? []).map(({ storedAs, storedAsBytes, bytes }) => ({
      path: storedAs,
      ...(storedAsBytes && { pathBytes: storedAsBytes }),
      bytes,
      changedMs: 0,
    })),
    arePlaced: true,
    into,
    also: listLogs(run).map(({ name }) => ({ from: join(resultsFolder, name), name })),
  });
  if (missing.length === 0) return;
  throw new SortieError("results_gone", { path: into, missing: missing.join(", "), from: resultsFolder });
}

/** The same for those who have more to say than that it failed; the record holds the fault. */
export async function collectQuietly(desk: Desk, id: string): Promise<RunRecord> {
  try {
    return await collectRun(desk, id);
  } catch {
    return loadRun(desk.store, id); // with `collectFault`
  }
}
