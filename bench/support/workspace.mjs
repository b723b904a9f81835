import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { closeDesk, loadRuns, openDesk, stopRun } from "../../dist/index.js";

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PATIENCE_MS = 20_000;

/** The built `sortie`, as an argument list. */
export const SORTIE = [process.execPath, join(checkout, "bin", "sortie")];

/**
 * A Sortie of its own for one benchmark: home, person, project, screens and leases lie in one temporary folder, which
 * `close` removes after it has stopped all that was started there.
 */
export function openWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), "sortie-bench-"));
  const place = (name) => makeFolder(join(folder, name));
  const env = {
    ...process.env,
    HOME: place("person"),
    SORTIE_HOME: place("home"),
    SORTIE_LEASE_DIR: place("leases"),
    SCREENDIR: place("s"),
  };
  const desk = openDesk({ env, self: SORTIE });
  const stopListening = closeOnSignal(folder, desk);
  const close = () => {
    stopListening();
    return closeWorkspace(folder, desk);
  };
  return { folder, project: place("project"), env, desk, close };
}

/** Ctrl-C leaves nothing behind either. */
function closeOnSignal(folder, desk) {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 };
  const leave = async (signal) => {
    await closeWorkspace(folder, desk);
    process.exit(exitCodes[signal]);
  };
  for (const signal of Object.keys(exitCodes)) process.once(signal, leave);
  return () => {
    for (const signal of Object.keys(exitCodes)) process.off(signal, leave);
  };
}

/** A folder of links to every program of PATH but one: a machine on which it is not installed. */
export function makePathWithout(program, folder) {
  makeFolder(folder);
  const linked = new Set([program]);
  for (const place of (process.env.PATH ?? "").split(delimiter).filter((path) => existsSync(path))) {
    for (const name of readdirSync(place).filter((candidate) => !linked.has(candidate))) {
      symlinkSync(join(place, name), join(folder, name));
      linked.add(name);
    }
  }
  return folder;
}

/** A watcher that is there is asked to leave, once; it finishes first what it is at. */
export async function dismissWatcher(desk) {
  const until = performance.now() + PATIENCE_MS;
  let asked = null;
  for (let pid = readWatcher(desk); pid !== null && performance.now() < until; pid = readWatcher(desk)) {
    if (pid !== asked) stopQuietly(pid);
    asked = pid;
    await sleep(10);
  }
}

function readWatcher(desk) {
  try {
    return JSON.parse(readFileSync(desk.home.watcherFile, "utf8")).identity.pid;
  } catch {
    return null; // there is none, or it has just left
  }
}

async function closeWorkspace(folder, desk) {
  for (const run of await loadRuns(desk)) {
    if (run.endedAt === null) await stopRun(desk, run.id, { graceS: 1 });
  }
  await dismissWatcher(desk);
  closeDesk(desk);
  await removeFolder(folder, desk);
}

/** A watcher that was just being started still writes; it leaves when its database is gone. */
async function removeFolder(folder, desk) {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (fault) {
      if (performance.now() > until) throw fault;
      await dismissWatcher(desk);
      await sleep(100);
    }
  }
}

function makeFolder(path) {
  mkdirSync(path, { mode: 0o700 });
  return path;
}

function stopQuietly(pid) {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // it has just left by itself
  }
}
