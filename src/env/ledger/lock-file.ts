import { readFileSync, rmSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import { makeToken } from "../../base/ids.ts";
import { isNumber, isShape, isText, parseJson } from "../../base/shape.ts";
import { makeFileOnce } from "../../disk/atomic-file.ts";
import { isProcessAlive, loadOwnIdentity, type ProcessIdentity } from "../../process/identity.ts";

const LOOK_EVERY_MS = 20;

/** What lies in a lock: who holds it, and a token that no other taking of it has. */
interface Holder extends ProcessIdentity {
  readonly token: string;
}

const isHolder = isShape<Holder>({
  ...{ pid: isNumber, start: isText, boot: isText, pidNamespace: isText, host: isText, token: isText },
});

/**
 * Does something while this process alone, of those that ask, has made the file at `path`, which goes afterwards. A lock
 * whose process was killed is broken. Null: another had it for all of `patienceMs`. @throws home_unwritable
 */
export async function doWithLockFile<Result>(
  path: string,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: number },
  act: () => Result,
): Promise<{ readonly result: Result } | null> {
  const deadlineMs = clock.monotonicMs() + patienceMs;
  while (!takeLock(path)) {
    if (clock.monotonicMs() >= deadlineMs) return null;
    await clock.sleep(LOOK_EVERY_MS);
  }
  try {
    return { result: act() };
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path: string): boolean {
  const own: Holder = { ...loadOwnIdentity(), token: makeToken() };
  if (makeFileOnce(path, JSON.stringify(own), { durable: false })) return true;
  const holder = readHolder(path);
  if (holder && isProcessAlive(holder) === false) breakLock(path, holder);
  return false;
}

/**
 * Whoever breaks a lock holds one that is named after its token, and looks once more: else two could break it, and the
 * second would remove what the next holder has made. A lock of that kind may be left, too, and is broken likewise.
 */
function breakLock(path: string, { token }: Holder) {
  const breaker = `${path}.${token}`;
  if (!takeLock(breaker)) return;
  if (readHolder(path)?.token === token) rmSync(path, { force: true });
  rmSync(breaker, { force: true });
}

/** null: it has gone, or it is not written whole yet. */
function readHolder(path: string): Holder | null {
  try {
    return parseJson(readFileSync(path, "utf8"), isHolder);
  } catch {
    return null; // it has gone meanwhile
  }
}
