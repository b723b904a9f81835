import { mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";

/** Where Sortie keeps what it knows: `$SORTIE_HOME`, default `~/.sortie`. Every path in it is named here. */
export interface Home {
  readonly root: string;
  readonly database: string;
  readonly config: string;
  readonly trust: string;
  /** Job folders of runs on this machine. */
  readonly jobs: string;
  /** Environments that were built on this machine, and what they have shown. */
  readonly envs: string;
  /** What was brought home, a folder a run. */
  readonly runs: string;
  /** What has come of results from hosts that are not home whole yet, a folder a run, and locks. */
  readonly fetch: string;
  /** Logs of live runs on hosts, as far as they have come, a folder a run. */
  readonly mirror: string;
  /** What was read of the metrics of runs, a folder a run. */
  readonly metrics: string;
  /** Which runs' numbers are to be forwarded to W&B, a file each. */
  readonly forward: string;
  /** Files of plans that wait for confirmation: secret values, recorded code. */
  readonly plans: string;
  /** Keys of hosts that were trusted before they were known. */
  readonly knownHosts: string;
  readonly watcherLock: string;
  readonly watcherFile: string;
  readonly watcherLog: string;
}

export function findHome(env: Readonly<Record<string, string | undefined>>): Home {
  const personal = findPersonalHome(env);
  const root = resolve(env["SORTIE_HOME"]?.replace(/^~(?=\/|$)/, personal) || join(personal, ".sortie"));
  return {
    root,
    database: join(root, "sortie.db"),
    config: join(root, "config.yaml"),
    trust: join(root, "trust.json"),
    jobs: join(root, "jobs"),
    envs: join(root, "envs"),
    runs: join(root, "runs"),
    fetch: join(root, "fetch"),
    mirror: join(root, "mirror"),
    metrics: join(root, "metrics"),
    forward: join(root, "forward"),
    plans: join(root, "plans"),
    knownHosts: join(root, "known_hosts"),
    watcherLock: join(root, "watcher.lock"),
    watcherFile: join(root, "watcher.json"),
    watcherLog: join(root, "watcher.log"),
  };
}

/** The person's own home folder. */
export function findPersonalHome(env: Readonly<Record<string, string | undefined>>): string {
  return env["HOME"] || homedir();
}

/**
 * Makes the folder, readable by its owner alone. One that is there keeps its mode, since it may be in use for other
 * things (`/tmp`, a project): where others can read it, the folders that we make in it are closed to them instead.
 * @throws home_unwritable
 */
export function makeHome(home: Home): void {
  try {
    const isNew = makeFolders(home.root);
    if (isNew || findOthersRights(home) === "none") return;
    for (const folder of [
      home.jobs,
      home.runs,
      home.fetch,
      home.mirror,
      home.metrics,
      home.plans,
      home.forward,
    ]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
  } catch (fault) {
    throw new SortieError("home_unwritable", { path: home.root, reason: describeFault(fault) }, fault);
  }
}

/**
 * Makes a folder and those above it, one by one; false: it was there. Node's own recursive mkdir never ends where a
 * folder cannot be made below one that is there (in /proc, and in folders of an automounter).
 */
function makeFolders(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })) return false;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EEXIST") return false; // another process was faster
    throw fault;
  }
}

/** What people other than its owner may do in the folder. */
export function findOthersRights({ root }: Home): "none" | "read" | "write" {
  const { mode } = statSync(root);
  if (mode & 0o022) return "write";
  return mode & 0o055 ? "read" : "none";
}
