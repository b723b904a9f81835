import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeToken } from "../base/ids.ts";
import { isProcessAlive, loadOwnIdentity, type ProcessIdentity } from "../process/identity.ts";
import { parseIdentity } from "../process/parse-identity.ts";

/** A folder that is filled beside its place and then renamed to it. */
export interface Staging {
  readonly folder: string;
  /** Renames it to its place when all of it is on disk. false: another process was faster. */
  putInPlace(): boolean;
  /** Removes the folder, where it still is one, and its owner's file. */
  remove(): void;
}

const MARK = ".collecting-";
const OWNER = ".owner.json";
/** An owner's file that cannot be read may be one that is being written right now, for so long. */
const OWNER_PATIENCE_MS = 60_000;

/**
 * Makes a staging folder for `into`, beside it. Its owner's file is there before it and goes after it, so that a
 * folder which somebody fills can be told from one whose process was killed.
 */
export function makeStaging(into: string): Staging {
  const parent = dirname(into);
  mkdirSync(parent, { recursive: true });
  const folder = join(parent, `.${basename(into)}${MARK}${makeToken()}`);
  const owner = `${folder}${OWNER}`;
  writeFileSync(owner, JSON.stringify(loadOwnIdentity()), { flag: "wx" });
  mkdirSync(folder);
  return {
    folder,
    putInPlace() {
      syncBelow(Buffer.from(folder));
      if (!isRenamed(folder, into)) return false;
      syncToDisk(Buffer.from(parent));
      return true;
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      rmSync(owner, { force: true });
    },
  };
}

/** Removes the staging folders of any run in `parent` whose process was killed. */
export function removeAbandoned(parent: string, now: Date) {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(".") || !name.includes(MARK) || !name.endsWith(OWNER)) continue;
    const owner = join(parent, name);
    if (!isAbandoned(owner, now.getTime())) continue;
    rmSync(owner.slice(0, -OWNER.length), { recursive: true, force: true });
    rmSync(owner, { force: true });
  }
}

/** Another host's process cannot be judged from here: its folder stays. */
function isAbandoned(owner: string, nowMs: number): boolean {
  const stats = statSync(owner, { throwIfNoEntry: false });
  if (stats === undefined) return false; // put in its place meanwhile
  const identity = readOwner(owner);
  return identity ? isProcessAlive(identity) === false : nowMs - stats.mtimeMs > OWNER_PATIENCE_MS;
}

function readOwner(path: string): ProcessIdentity | null {
  try {
    return parseIdentity(readFileSync(path, "utf8"));
  } catch {
    return null; // gone meanwhile
  }
}

/** After all is written, not file by file: the first call writes out most of what the others wait for. */
function syncBelow(folder: Buffer) {
  for (const name of readdirSync(folder, { encoding: "buffer" })) {
    const path = Buffer.concat([folder, Buffer.from("/"), name]);
    if (lstatSync(path).isDirectory()) syncBelow(path);
    else syncToDisk(path);
  }
  syncToDisk(folder);
}

function syncToDisk(path: Buffer) {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw fault;
  }
}
