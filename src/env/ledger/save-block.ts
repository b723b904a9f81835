import { chmodSync, existsSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { findSecretLook } from "../../base/secret-look.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { type BlockChange, changeBlock, listWanted } from "./change-block.ts";
import { doWithLockFile } from "./lock-file.ts";
import { findConflict, parseLedgerLines } from "./parse-ledger.ts";

/** To write takes milliseconds: whoever has the lock for longer hangs, or is on another machine. */
const PATIENCE_MS = 10_000;

export interface SaveOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly patienceMs?: number;
}

/**
 * Writes one block into the ledger at `path`, as `changeBlock` does; false: all of it stood there. Of several writers on
 * one machine each changes what the other has left. The file and its folder are made; a link is followed; the mode stays.
 * @throws ledger_secret, ledger_conflict, ledger_unreadable, ledger_unwritable, ledger_busy
 */
export async function saveBlock(
  path: string,
  change: BlockChange,
  { clock = systemClock, patienceMs = PATIENCE_MS }: SaveOptions = {},
): Promise<boolean> {
  refuseSecrets(path, change);
  const file = prepareFile(path);
  const lock = join(dirname(file), `.${basename(file)}.lock`);
  const written = await doWithLockFile(lock, { clock, patienceMs }, () => saveAlone(file, change)).catch(
    (fault) => {
      if (fault instanceof SortieError && fault.code === "home_unwritable") throw makeUnwritable(path, fault);
      throw fault;
    },
  );
  if (written === null) throw new SortieError("ledger_busy", { file: path, lock });
  return written.result;
}

function refuseSecrets(file: string, change: BlockChange) {
  for (const { key, value } of listWanted(change)) {
    const what = findSecretLook(value);
    if (what !== null) throw new SortieError("ledger_secret", { file, key, what });
  }
}

/** Makes its folder, and answers with the file's own place, where links lead to it. */
function prepareFile(path: string): string {
  try {
    const target = findTarget(resolve(path));
    makeFolder(dirname(target));
    return join(realpathSync(dirname(target)), basename(target));
  } catch (fault) {
    throw makeUnwritable(path, fault);
  }
}

/** Also where the last link leads to nothing yet; of links in a circle, the system then says what is wrong. */
function findTarget(path: string, mostLinks = 40): string {
  if (existsSync(path) || mostLinks === 0) return realpathSync(path);
  try {
    return findTarget(resolve(dirname(path), readlinkSync(path)), mostLinks - 1);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EINVAL") return path; // no link
    throw fault;
  }
}

function saveAlone(file: string, change: BlockChange): boolean {
  const old = readPage(file);
  const page = old ?? Buffer.alloc(0);
  const line = findConflict(parseLedgerLines(page).lines);
  if (line !== null) throw new SortieError("ledger_conflict", { file, line });
  const changed = changeBlock(page, change);
  if (old?.equals(changed)) return false;
  const mode = old ? statSync(file).mode & 0o7777 : 0o644;
  writeFileAtomic(file, changed, { mode });
  if (old) chmodSync(file, mode); // the umask has taken from it
  return true;
}

function readPage(file: string): Buffer | null {
  let page: Buffer;
  try {
    page = readFileSync(file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new SortieError("ledger_unreadable", { file, reason: describeFault(fault) }, fault);
  }
  if (page.includes(0)) {
    throw new SortieError("ledger_unreadable", { file, reason: "it is not UTF-8 text: it has zero bytes" });
  }
  return page;
}

function makeUnwritable(file: string, fault: unknown): SortieError {
  const reason = fault instanceof SortieError ? fault.details["reason"] : describeFault(fault);
  return new SortieError("ledger_unwritable", { file, reason }, fault);
}
