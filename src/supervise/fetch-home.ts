import { existsSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SortieError } from "../base/error.ts";
import { type FetchedFiles, makeFetchedCopy } from "../runs/fetched-files.ts";
import { type CollectRequest, findSources } from "../runs/results.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { loadRun } from "../runs/run-store.ts";
import { takeKernelLock } from "../store/kernel-lock.ts";
import type { Target, Transfer } from "../targets/target.ts";
import type { Desk } from "./desk.ts";
import { findGapMark, findMirrorPlace, removeMirror } from "./mirror-place.ts";
import { mayCostMore } from "./rent/instance.ts";
import { findInstanceOf } from "./rent/instance-store.ts";

const LOOK_EVERY_MS = 300;

/**
 * Brings what is to be collected from its host to a folder of the run, which is kept when this is cut: the next call goes
 * on from there. Answers with what puts each file in its place. @throws sync_failed, results_unreadable, results_restless, and what the network throws
 */
export async function fetchHome(
  desk: Desk,
  run: RunRecord,
  fetch: NonNullable<Target["fetch"]>,
  { folder, results, also = [] }: Pick<CollectRequest, "folder" | "results" | "also">,
  onProgress: ((transfer: Transfer) => void) | undefined,
): Promise<NonNullable<CollectRequest["copy"]>> {
  const into = findFetchFolder(desk, run.id);
  for (const { from } of also) useMirrored(findMirrorPlace(desk, run, from), join(into, from));
  const files = [...findSources(folder, results), ...also.map(({ from }) => Buffer.from(from))];
  const { leaving: signal } = desk;
  const options = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const fetched = await fetch({ files, into }, options);
  refuseRestless(desk, run, fetched);
  return makeFetchedCopy(fetched);
}

/**
 * A machine that is to be destroyed once all is home stays until what was copied is what is there, as long as that is paid for.
 * @throws results_restless
 */
function refuseRestless({ store, clock }: Desk, { id, kind, name }: RunRecord, fetched: FetchedFiles): void {
  const instance = kind === "vast" ? findInstanceOf(store, id) : null;
  if (!instance?.autoDestroy || !mayCostMore(instance, clock.now())) return;
  const restless = [...fetched].filter(([, { changing }]) => changing).map(([path]) => basename(path));
  if (restless.length > 0) throw new SortieError("results_restless", { run: name, files: restless });
}

/** What has been mirrored of a log is not sent again. It is no copy: a transfer puts a new file in the place of the link. */
function useMirrored(mirrored: string, place: string): void {
  if (existsSync(findGapMark(mirrored))) return; // to compare what lies round a gap takes longer than to send it
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    linkSync(mirrored, place);
  } catch {
    // it was not mirrored, or has come already: then the transfer sends what is missing
  }
}

/**
 * One process at a time brings a run home from its host; the others wait for it. `null`: this process is to leave.
 * Where another has brought it home meanwhile, `work` is not called.
 */
export async function collectAlone(
  desk: Desk,
  id: string,
  work: (run: RunRecord) => Promise<RunRecord>,
): Promise<RunRecord> {
  mkdirSync(desk.home.fetch, { recursive: true, mode: 0o700 });
  for (;;) {
    const lock = takeKernelLock(findLock(desk, id));
    const run = loadRun(desk.store, id);
    try {
      if (run.results !== null || desk.leaving?.aborted) return run;
      if (lock) return await work(run);
    } finally {
      lock?.release();
    }
    await desk.clock.sleep(LOOK_EVERY_MS, desk.leaving);
  }
}

/** Removes what was only needed until the run was home. */
export function removeFetched(desk: Desk, id: string): void {
  rmSync(findFetchFolder(desk, id), { recursive: true, force: true });
  rmSync(findLock(desk, id), { force: true });
  removeMirror(desk, id);
}

export function findFetchFolder(desk: Desk, id: string): string {
  return join(desk.home.fetch, id);
}

function findLock(desk: Desk, id: string): string {
  return join(desk.home.fetch, `${id}.lock`);
}
