import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { SortieError, toSortieError } from "../../base/error.ts";
import { copyVerified } from "../../runs/copy-verified.ts";
import { type Collection, collectResults } from "../../runs/results.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import {
  fetchVolumeFolder,
  listApps,
  listVolumeFolder,
  type ModalProgram,
} from "../../targets/modal/ask-modal.ts";
import { checkFetched } from "../../targets/modal/manifest.ts";
import type { Desk } from "../desk.ts";
import { findFetchFolder } from "../fetch-home.ts";
import { listLogs } from "../home-logs.ts";
import { openModal } from "./check-account.ts";
import { readModalEnd } from "./follow/modal-end.ts";
import { nameModalFiles } from "./modal-files.ts";

/** Files of the launcher's own on the volume, which are no results. */
const OWN_FILES = ["exit.json", "manifest.json", "starts", "log"];

/** What has come of a run's folder on a volume. */
interface Fetched {
  readonly folder: string;
  /** Paths below the folder. */
  readonly paths: readonly string[];
  /** What is to be said of it, for people. */
  readonly doubts: readonly string[];
}

export type ModalHome = Pick<Collection, "results" | "missing"> & { readonly doubts: readonly string[] };

/**
 * Brings home what a run of a launcher left on its volume: fetched, and compared with the hashes that it wrote down itself. What
 * does not agree is refused, and may be collected again. @throws modal_results_broken, modal_away, results_unwritable
 */
export async function bringModalHome(
  desk: Desk,
  run: RunRecord,
  { volume, path, into }: { readonly volume: string; readonly path: string; readonly into: string },
): Promise<ModalHome> {
  const { folder, paths, doubts } = await fetchRun(desk, run, { volume, path });
  const places = nameResults(paths.filter((name) => !OWN_FILES.includes(name)));
  const collected = await collectResults({
    ...{ run: run.id, folder, into },
    results: [...places.keys()].map((name) => ({ path: name, bytes: 0, changedMs: 0 })),
    also: [
      ...listLogs(run),
      ...(paths.includes("log") ? [{ from: join(folder, "log"), name: "container.log" }] : []),
    ],
    copy: (source, copy) => copyVerified(findPlace(source, folder, places), copy),
  });
  return { results: collected.results, missing: collected.missing, doubts };
}

async function fetchRun(
  desk: Desk,
  run: RunRecord,
  { volume, path }: { readonly volume: string; readonly path: string },
): Promise<Fetched> {
  const to = findFetchFolder(desk, run.id);
  const folder = join(to, run.id);
  const end = readModalEnd(nameModalFiles(run.jobFolder).end);
  const hasEnded = end?.exit != null || run.state === "succeeded";
  const modal = openModal(desk, run.request.cwd);
  if (end === null) await refuseRunning(modal, run);
  if (!(await isThere(modal, volume, path))) {
    if (!hasEnded) return { folder, paths: [], doubts: [] };
    const reason = `there is no folder ${path}`;
    throw new SortieError("modal_results_broken", { run: run.name, volume, reason });
  }
  rmSync(folder, { recursive: true, force: true }); // what came before may be what was refused
  mkdirSync(to, { recursive: true, mode: 0o700 });
  await fetchVolumeFolder(modal, { volume, path, to });
  const there = listFiles(folder);
  if (!hasEnded && !there.includes("manifest.json")) {
    const doubt =
      "it was ended before it wrote down what it had made: what lay on the volume is not compared";
    return { folder, paths: there, doubts: there.length === 0 ? [] : [doubt] };
  }
  const { exit, files, leftOut } = await checkFetched(folder, { runId: run.id, volume });
  const doubts = [
    ...leftOut.map(({ path: name, reason }) => `${name} could not be kept at Modal: ${reason}`),
    ...(end === null ? [`at Modal its command went on, and ended with exit code ${exit.exitCode}`] : []),
  ];
  return { folder, paths: files.map((file) => file.path), doubts };
}

/** What followed it was killed, and has not stopped it: there is more to come. @throws modal_still_running */
async function refuseRunning(modal: ModalProgram, { name, modal: known }: RunRecord): Promise<void> {
  const apps = await listApps(modal);
  const isOpen = apps.some((app) => app.name === known?.app && app.state !== "stopped");
  if (isOpen) throw new SortieError("modal_still_running", { run: name, app: known?.app });
}

async function isThere(modal: ModalProgram, volume: string, path: string): Promise<boolean> {
  try {
    await listVolumeFolder(modal, volume, path);
    return true;
  } catch (fault) {
    if (/no such file|not found|does not exist/i.test(toSortieError(fault).message)) return false;
    throw fault;
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** What lay in the code folder is a result under its own name there, unless another file has that. */
function nameResults(paths: readonly string[]): ReadonlyMap<string, string> {
  const places = new Map(paths.filter((path) => !path.startsWith("code/")).map((path) => [path, path]));
  for (const path of paths.filter((one) => one.startsWith("code/"))) {
    const name = path.slice("code/".length);
    places.set(places.has(name) ? path : name, path);
  }
  return places;
}

function findPlace(source: Buffer, folder: string, places: ReadonlyMap<string, string>): Buffer {
  const name = relative(folder, source.toString());
  const place = places.get(name);
  return place === undefined ? source : Buffer.from(join(folder, place));
}
