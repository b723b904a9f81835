import { nameJobFiles } from "../runs/job-folder.ts";
import { expandGlobs, type Made, type Span, type SpanRecords } from "../runs/made-files.ts";
import { collectResults, makeResultTest } from "../runs/results.ts";
import type { ResultFile, RunRecord } from "../runs/run-record.ts";
import { listRuns } from "../runs/run-store.ts";
import type { Transfer } from "../targets/target.ts";
import type { Desk } from "./desk.ts";
import { fetchHome } from "./fetch-home.ts";
import { findTargetOf } from "./find-target.ts";
import { nameHostOf } from "./group-by-host.ts";
import { listLogs } from "./home-logs.ts";
import { findStartFolder } from "./start-folder.ts";

/** Runs that ended so long before another began are not asked about, however the clock of their host has jumped. */
const SLACK_MS = 24 * 3600 * 1000;

export interface Home {
  readonly results: ResultFile[];
  readonly missing: readonly string[];
  /** What is to be said of it, for people. */
  readonly doubts?: readonly string[];
}

/**
 * Brings the results and logs of a run to a folder at home; from a host over the network they are fetched first. What is
 * new is judged by the host's own clock. @throws results_unwritable, results_place_taken, and what fetching throws
 */
export async function bringHome(
  desk: Desk,
  run: RunRecord,
  { into, onProgress }: { into: string; onProgress?: ((transfer: Transfer) => void) | undefined },
): Promise<Home> {
  const { volumeFolder: path = null, volumes: [volume] = [] } = run.modal ?? {};
  if (path !== null && volume !== undefined) return bringFromVolume(desk, run, { volume, path, into });
  const target = findTargetOf(desk, run);
  const folder = findStartFolder(run);
  const others = listNeighbours(desk, run, folder);
  const made = await target.listMade({
    folder,
    globs: run.request.results,
    run: nameRecords(run),
    others: others.map(nameRecords),
  });
  const files = { folder, results: made.files, also: listLogs(run) };
  const copy = target.fetch && (await fetchHome(desk, run, target.fetch, files, onProgress));
  const { results, missing } = await collectResults({ run: run.id, into, ...files, ...(copy && { copy }) });
  const shared = findSharedPaths({ run, folder, others, made });
  return { results: results.map((file) => ({ ...file, shared: shared.has(file.path) })), missing };
}

/** What it made lies at Modal. Loaded on demand: little does. */
async function bringFromVolume(
  desk: Desk,
  run: RunRecord,
  place: { readonly volume: string; readonly path: string; readonly into: string },
): Promise<Home> {
  const { bringModalHome } = await import("./modal/bring-modal-home.ts");
  const { results, missing, doubts } = await bringModalHome(desk, run, place);
  return { results: results.map((file) => ({ ...file, shared: false })), missing, doubts };
}

function nameRecords(run: RunRecord): SpanRecords {
  const { exit } = nameJobFiles(run.jobFolder, run.attempt);
  return { pid: nameJobFiles(run.jobFolder).pid, exit };
}

/** Other runs of the same folder on the same host, at about the same time. */
function listNeighbours(desk: Desk, run: RunRecord, folder: string): RunRecord[] {
  const host = nameHostOf(run);
  const [startMs, endMs] = findRecordedSpanMs(run);
  return listRuns(desk.store).filter((other) => {
    if (other.id === run.id || findStartFolder(other) !== folder || nameHostOf(other) !== host) return false;
    const [otherStartMs, otherEndMs] = findRecordedSpanMs(other);
    return otherStartMs <= endMs + SLACK_MS && startMs <= otherEndMs + SLACK_MS;
  });
}

function findRecordedSpanMs({ startedAt, createdAt, endedAt }: RunRecord): [startMs: number, endMs: number] {
  return [
    Date.parse(startedAt ?? createdAt),
    endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt),
  ];
}

/** Files that also count as results of another run, which wrote into the same folder at the same time. */
function findSharedPaths({
  run,
  folder,
  others,
  made,
}: {
  run: RunRecord;
  folder: string;
  others: readonly RunRecord[];
  made: Made;
}): Set<string> {
  const paths = new Set<string>();
  const own = findSpanMs(run, made.span);
  others.forEach((other, index) => {
    const span = made.others[index];
    const theirs = span && findSpanMs(other, span);
    if (!own || !theirs || own[0] > theirs[1] || theirs[0] > own[1]) return;
    const globs = expandGlobs(other.request.results, made.home);
    const isTheirs = makeResultTest({ folder, globs, sinceMs: theirs[0] });
    for (const file of made.files) if (isTheirs(file)) paths.add(file.path);
  });
  return paths;
}

/** From the times of its records, which are finer than the seconds in them: runs often follow within one second. */
function findSpanMs(run: RunRecord, { startMs, endMs }: Span): [startMs: number, endMs: number] | null {
  if (startMs === null) return null;
  const recorded = run.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(run.endedAt);
  return [startMs, endMs ?? recorded];
}
