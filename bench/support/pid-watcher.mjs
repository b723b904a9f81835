import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const STEP_MS = 0.4;
const PATIENCE_MS = 30_000;

/**
 * A thread that looks every 0.4 ms for the next folder that appears in `parent` with a file `pid` in it. `watch` answers
 * as soon as it looks, with a promise of the time (by `process.hrtime`, in milliseconds) at which the file was there.
 */
export function startPidWatcher() {
  const worker = new Worker(new URL(import.meta.url));
  const next = async () => (await once(worker, "message"))[0];
  return {
    async watch(parent) {
      worker.postMessage(parent);
      await next();
      return { found: next() };
    },
    stop: () => worker.terminate(),
  };
}

export function readClockMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

if (!isMainThread) {
  parentPort.on("message", (parent) => {
    const known = new Set(listNames(parent));
    parentPort.postMessage("looking");
    parentPort.postMessage(waitForPid(parent, known));
  });
}

function waitForPid(parent, known) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const until = readClockMs() + PATIENCE_MS;
  while (readClockMs() < until) {
    const name = listNames(parent).find((candidate) => !known.has(candidate));
    if (name !== undefined && existsSync(join(parent, name, "pid"))) return readClockMs();
    Atomics.wait(cell, 0, 0, STEP_MS);
  }
  throw new Error(`no pid came to ${parent} within ${PATIENCE_MS / 1000} s`);
}

function listNames(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
