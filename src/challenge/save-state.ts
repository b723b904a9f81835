import { accessSync, constants, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import { findPersonalHome } from "../disk/home.ts";
import { changeLines } from "./change-lines.ts";
import { parseState, type StateName } from "./state-file.ts";

/** null takes the variable out. */
export type StateChanges = Readonly<Partial<Record<StateName, string | null>>>;

const MOST_BYTES = 1024 * 1024;

/**
 * Changes variables of `~/.simubotix-challenge.env` and leaves all else in it as it is. It is written beside its place and
 * renamed over, for its owner alone; a link to it stays a link. `said`: what a person should know, without values.
 * @throws SortieError `state_file_unreadable`, `state_file_broken`, `state_value_bad`, `home_unwritable`
 */
export function saveState(
  env: Readonly<Record<string, string | undefined>>,
  changes: StateChanges,
): { path: string; said: string[] } {
  const { path, place, isOpen, next, notes } = prepareState(env, changes);
  writeFileAtomic(place, next, { mode: 0o600 });
  const said = isOpen ? [`${path} was open to others and holds tokens: now it is yours alone`] : [];
  return { path, said: [...said, ...notes] };
}

/**
 * Whether these variables could be set now, before something is done whose outcome goes there; nothing is written.
 * @throws SortieError `state_file_unreadable`, `state_file_unwritable`, `state_file_broken`
 */
export function checkState(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly StateName[],
): void {
  const { path, place } = prepareState(env, Object.fromEntries(names.map((name) => [name, "value"])));
  try {
    // A new file takes the place of the old one, so the folder is what must be writable.
    accessSync(dirname(place), constants.W_OK);
  } catch (fault) {
    throw new SortieError("state_file_unwritable", { file: path, reason: describeFault(fault) }, fault);
  }
}

function prepareState(env: Readonly<Record<string, string | undefined>>, changes: StateChanges) {
  const path = join(findPersonalHome(env), ".simubotix-challenge.env");
  for (const [name, value] of Object.entries(changes))
    if (value?.includes("\0")) throw new SortieError("state_value_bad", { name });
  const { place, bytes, isOpen } = readPlace(path);
  const encoding = bytes.equals(Buffer.from(bytes.toString("utf8"))) ? "utf8" : "latin1";
  const changed = changeLines(bytes.toString(encoding), encodeChanges(changes, encoding));
  const next = Buffer.from(changed.text, encoding);
  checkReadable(next.toString("utf8"), path, changes);
  return { path, place, isOpen, next, notes: changed.said.map((text) => `${path} ${text}`) };
}

/** The file that is behind the links, and what is in it. */
function readPlace(path: string): { place: string; bytes: Buffer; isOpen: boolean } {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { place: findNewPlace(path), bytes: Buffer.alloc(0), isOpen: false };
    const refuse = (reason: string) => new SortieError("state_file_unreadable", { file: path, reason });
    if (!stats.isFile()) throw refuse("it is no file");
    if (stats.size > MOST_BYTES) throw refuse("it is too large for a file of variables");
    return { place: realpathSync(path), bytes: readFileSync(path), isOpen: (stats.mode & 0o077) !== 0 };
  } catch (fault) {
    if (fault instanceof SortieError) throw fault;
    throw new SortieError("state_file_unreadable", { file: path, reason: describeFault(fault) }, fault);
  }
}

/** There may be a link already, to a file that is to be made. */
function findNewPlace(path: string): string {
  try {
    return findNewPlace(resolve(dirname(path), readlinkSync(path)));
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "EINVAL") return path; // no link: made here
    throw fault;
  }
}

/** Where the file is no UTF-8 its bytes are handled one by one, and so are those of a value. */
function encodeChanges(changes: StateChanges, encoding: "utf8" | "latin1"): [string, string | null][] {
  return Object.entries(changes)
    .filter((change): change is [string, string | null] => change[1] !== undefined)
    .map(([name, value]) => [name, value === null ? null : Buffer.from(value).toString(encoding)]);
}

/** A quote that is open further up would swallow what is written. */
function checkReadable(text: string, file: string, changes: StateChanges): void {
  const { values, unread } = parseState(text, file);
  for (const name of Object.keys(changes) as StateName[]) {
    const value = changes[name];
    if (value === undefined) continue;
    const isRead = (values[name] ?? "") === Buffer.from(value ?? "").toString("utf8");
    if (!isRead || unread[name] !== undefined) throw new SortieError("state_file_broken", { file, name });
  }
}
