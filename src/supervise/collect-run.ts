import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import { collectResults, type FoundResult, findResults } from "../runs/results.ts";
import type { ResultFile, RunRecord } from "../runs/run-record.ts";
import { changeRun, listRuns, loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { endLeftovers } from "./end-leftovers.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { findResultsFolder } from "./results-folder.ts";

const LOG_NAME = "log";

/**
 * Brings home what the run made: its results and its log, with sizes and hashes; the values of its variables go. Doing
 * it twice is harmless. `to` makes a copy of what is home in one more place. @throws run_live, results_unwritable, results_place_taken
 */
export async function collectRun(desk: Desk, id: string, options: { to?: string } = {}): Promise<RunRecord> {
  const run = loadRun(desk.store, id);
  if (!isEnded(run.state)) throw new SortieError("run_live", { run: run.name, state: run.state });
  const home = run.results === null ? await recordCollection(desk, run) : run;
  if (options.to !== undefined) await copyFromHome(home, options.to);
  return home;
}

async function recordCollection(desk: Desk, run: RunRecord): Promise<RunRecord> {
  try {
    await forgetSecrets(desk, run);
    await endLeftovers(desk, run);
    if (run.startedAt === null) return changeRun(desk.store, run.id, { results: [], collectFault: null });
    const into = findResultsFolder(desk, run);
    const { results, missing } = await bringHome(desk, run, into);
    appendEvent(desk.store, run.id, "collected", { into, files: results.length }, desk.clock.now());
    const notes = [...run.notes, ...describeDoubts(results, missing)];
    return changeRun(desk.store, run.id, { results, resultsFolder: into, collectFault: null, notes });
  } catch (fault) {
    changeRun(desk.store, run.id, { collectFault: describeFault(fault) });
    throw fault;
  }
}

function describeDoubts(results: readonly ResultFile[], missing: readonly string[]): string[] {
  const restless = results.filter((file) => file.changing).map((file) => file.path);
  return [
    ...(restless.length > 0 ? [`still being written when it was copied: ${restless.join(", ")}`] : []),
    ...(missing.length > 0 ? [`gone before it could be brought home: ${missing.join(", ")}`] : []),
  ];
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

async function bringHome(
  desk: Desk,
  run: RunRecord,
  into: string,
): Promise<{ results: ResultFile[]; missing: readonly string[] }> {
  const found = await findOwnResults(run);
  const shared = await findSharedPaths(desk, run, found);
  const { results, missing } = await collectResults({
    run: run.id,
    folder: run.request.cwd,
    results: found,
    into,
    also: listLogs(run),
  });
  return { results: results.map((file) => ({ ...file, shared: shared.has(file.path) })), missing };
}

async function findOwnResults(run: RunRecord): Promise<FoundResult[]> {
  const sinceMs = findStartMs(run);
  return sinceMs === null
    ? []
    : findResults({ folder: run.request.cwd, globs: run.request.results, sinceMs });
}

/** `log` is that of the last attempt, `log.N` that of attempt N before it. */
function listLogs(run: RunRecord): { from: string; name: string }[] {
  const earlier = Array.from({ length: run.attempt - 1 }, (_, index) => ({
    from: nameJobFiles(run.jobFolder, index + 1).log,
    name: `${LOG_NAME}.${index + 1}`,
  }));
  // An attempt that was never started has none: then the last log is an earlier one's.
  return [{ from: run.log, name: LOG_NAME }, ...earlier.filter(({ from }) => from !== run.log)];
}

/**
 * The command puts itself on record just before it begins: that file's time is finer than the seconds in it. What an
 * earlier attempt made is the run's, too.
 */
function findStartMs(run: RunRecord): number | null {
  const { pid } = nameJobFiles(run.jobFolder);
  return statSync(pid, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Files that also count as results of another run, which wrote into the same folder at the same time. */
async function findSharedPaths(
  desk: Desk,
  run: RunRecord,
  found: readonly FoundResult[],
): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const other of listRuns(desk.store)) {
    if (other.id === run.id || other.request.cwd !== run.request.cwd || !overlaps(run, other)) continue;
    const theirs = new Set((await findOwnResults(other)).map((file) => file.path));
    for (const file of found) if (theirs.has(file.path)) paths.add(file.path);
  }
  return paths;
}

function overlaps(one: RunRecord, other: RunRecord): boolean {
  const [startOfOne, endOfOne] = findSpanMs(one);
  const [startOfOther, endOfOther] = findSpanMs(other);
  return startOfOne <= endOfOther && startOfOther <= endOfOne;
}

/** From the times of its records, which are finer than the seconds in them: runs often follow within one second. */
function findSpanMs(run: RunRecord): [startMs: number, endMs: number] {
  const startMs = findStartMs(run);
  if (startMs === null) return [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const { exit } = nameJobFiles(run.jobFolder, run.attempt);
  const recorded = run.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(run.endedAt);
  return [startMs, statSync(exit, { throwIfNoEntry: false })?.mtimeMs ?? recorded];
}
