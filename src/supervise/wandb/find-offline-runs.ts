import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { findResultsFolder } from "../results-folder.ts";
import { findStartFolder } from "../start-folder.ts";
import { isUploaded } from "./is-uploaded.ts";

/** So deep below the results a folder of W&B's is looked for. */
const MOST_DEPTH = 5;

/** An offline run of W&B's on this machine, or an online one of which the server has not all. */
export interface OfflineRun {
  readonly folder: string;
  /** W&B has marked it as sent. */
  readonly isSent: boolean;
}

/**
 * The offline runs that a run left, one for each of its attempts, in their order: among its results at home, else in its own
 * folder on this machine. Folders of other runs there have other ids in their names. Of online runs the last one counts:
 * it went on from what the server had of those before, and their numbers would now come over its own.
 */
export function findOfflineRuns(desk: Desk, run: RunRecord): OfflineRun[] {
  const id = run.wandb?.id ?? null;
  if (id === null) return [];
  // An adopted run may be home without its record knowing of it.
  const home = listFolders(run.resultsFolder ?? findResultsFolder(desk, run), id, MOST_DEPTH);
  const own = run.remote ? [] : listFolders(join(findStartFolder(run), "wandb"), id, 1);
  const names = new Set(home.map((folder) => basename(folder)));
  const all = [...home, ...own.filter((folder) => !names.has(basename(folder)))];
  const lastOnline = all.filter(isOnline).sort(compareNames).at(-1);
  const isWaiting = (folder: string) => !isOnline(folder) || (folder === lastOnline && !isUploaded(folder));
  const sent = new Set([...home, ...own].filter(isSent).map((folder) => basename(folder)));
  return all
    .filter(isWaiting)
    .sort(compareNames)
    .map((folder) => ({ folder, isSent: sent.has(basename(folder)) }));
}

/** The offline run that was made of a run's log is there. */
export function hasForwarded(desk: Desk, run: RunRecord): boolean {
  return run.wandb?.way === "forward" && findOfflineRuns(desk, run).length > 0;
}

/** The folder is that of a run which was sent while it ran. */
export function isOnline(folder: string): boolean {
  return basename(folder).startsWith("run-");
}

/** As `wandb sync` leaves it beside what it has sent. */
export function isSent(folder: string): boolean {
  return readNames(folder).some((name) => name.endsWith(".wandb.synced"));
}

function listFolders(root: string, id: string, depth: number): string[] {
  if (depth === 0) return [];
  return readNames(root).flatMap((name) => {
    const path = join(root, name);
    if (!isFolder(path)) return [];
    if (!/^(?:offline-run-|run-\d{8}_\d{6}-)/.test(name)) return listFolders(path, id, depth - 1);
    return name.endsWith(`-${id}`) ? [path] : [];
  });
}

function compareNames(one: string, other: string): number {
  return basename(one) < basename(other) ? -1 : 1;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // gone, closed to us, or a link that leads nowhere
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone, or closed to us: nothing can be sent from it
  }
}
