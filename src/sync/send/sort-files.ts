import { existsSync, lstatSync, type Stats } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import { makePlace } from "../byte-paths.ts";
import { hasFolderMark } from "../generated-files.ts";
import { type Known, makeFactsFinder, type SortScope } from "./find-facts.ts";
import { makeFolderMeter } from "./measure-folder.ts";
import { findSendReason, type SendReason, type Wish } from "./send-rules.ts";
import { type LeftOutSum, makeLeftOutSum } from "./sum-left-out.ts";

/** What the lists of files hand their finds to. Paths count from the project; those of folders end with a slash. */
export interface FileSink {
  take(path: Buffer, known?: Known): void;
  /** A file found for what was asked for: taken if it was meant, and once. */
  takeWanted(path: Buffer): void;
  /** Whether the files in this folder are wanted; where not, it is left out as a whole. */
  enters(folder: Buffer): boolean;
  mayHoldWanted(folder: Buffer): boolean;
  /** A folder that is not looked into: left out, but for what was asked for in it. */
  passOver(folder: Buffer, known?: Known): void;
  /** A folder or file that is closed to us. @throws sync_unreadable where it would be sent */
  refuse(path: Buffer, reason: string): void;
}

/** A file or link to be sent, not yet read. */
export interface FoundFile {
  readonly path: Buffer;
  readonly kind: "file" | "link";
  readonly bytes: number;
  readonly executable: boolean;
  readonly wish: Wish;
}

export interface FileSorter extends FileSink {
  readonly found: FoundFile[];
  /** A file that was found, and holds a key as reading it showed. Answers whether it is left out. */
  leaveKeyHolder(file: FoundFile): boolean;
  /** Measures the folders that were passed over. */
  sumLeftOut(): LeftOutSum;
}

/** Sorts by the rules what is sent and what is left out. */
export function makeFileSorter(scope: SortScope): FileSorter {
  const { source } = scope;
  const makeFacts = makeFactsFinder(scope);
  const isReal = makeRealityCheck(source);
  const found: FoundFile[] = [];
  const folders = new Map<string, { readonly path: Buffer; readonly reason: SendReason }>();
  // Files that may lie in one of these folders and are counted by themselves.
  const apart = new Set<string>();
  const sum = makeLeftOutSum();
  const leave = (path: Buffer, bytes: number, reason: SendReason) =>
    sum.add({ path: path.toString(), files: 1, bytes, reason, exact: true });

  const refuse: FileSink["refuse"] = (path, fault) => {
    const reason = findSendReason(makeFacts(path, {}, null));
    if (reason === null) throw new SortieError("sync_unreadable", { path: path.toString(), reason: fault });
    sum.add({ path: path.toString(), files: 0, bytes: 0, reason, exact: false });
  };

  const take: FileSink["take"] = (path, known = {}) => {
    const stats = findStats(makePlace(source, path));
    if (typeof stats === "string") refuse(path, stats);
    // Git may list what has gone since, or what now lies behind a link.
    if (stats === null || typeof stats === "string" || stats.isDirectory() || !isReal(path)) return;
    const facts = makeFacts(path, known, stats);
    const { wish, bytes, kind } = facts;
    if (wish !== "none" || folders.has(findTop(path))) apart.add(path.toString("latin1"));
    const reason = findSendReason(facts);
    if (reason !== null) leave(path, bytes, reason);
    else
      found.push({
        path,
        kind: kind as FoundFile["kind"],
        bytes,
        executable: (stats.mode & 0o100) !== 0,
        wish,
      });
  };

  /** Whether the folder is left out, for whatever reason. */
  const leaveFolder = (path: Buffer, known: Known): boolean => {
    const reason = findSendReason(makeFacts(path, known, null));
    if (reason !== null) folders.set(path.toString("latin1"), { path, reason });
    return reason !== null;
  };

  const passOver: FileSink["passOver"] = (path, known = {}) => {
    const place = makePlace(source, path);
    if (!existsSync(place)) return;
    const marked =
      known.marked ?? hasFolderMark((mark) => existsSync(Buffer.concat([place, Buffer.from(mark)])));
    leaveFolder(path, { ...known, marked });
  };

  return {
    found,
    take,
    passOver,
    refuse,
    takeWanted(path) {
      if (!apart.has(path.toString("latin1")) && makeFacts(path, {}, null).wish !== "none") take(path);
    },
    enters: (path) => !leaveFolder(path, {}),
    mayHoldWanted(path) {
      const facts = makeFacts(path, {}, null);
      return findSendReason(facts.wish === "none" ? { ...facts, wish: "included" } : facts) === null;
    },
    leaveKeyHolder(file) {
      const reason = findSendReason({ ...makeFacts(file.path, {}, null), kind: "file", holdsKey: true });
      if (reason !== null) leave(file.path, file.bytes, reason);
      return reason !== null;
    },
    sumLeftOut() {
      const measure = makeFolderMeter(source);
      for (const { path, reason } of folders.values()) {
        const size = measure(path, (file) => apart.has(file.toString("latin1")));
        if (size.files > 0 || !size.exact) sum.add({ path: path.toString(), ...size, reason });
      }
      return sum.finish();
    },
  };
}

/** The folder at the top of the project that a path lies in, with its slash. */
function findTop(path: Buffer): string {
  return path.toString("latin1", 0, path.indexOf("/") + 1);
}

/** null: it is no longer there. A text: why it cannot be looked at. */
function findStats(place: Buffer): Stats | string | null {
  try {
    return lstatSync(place);
  } catch (fault) {
    const { code = "" } = fault as NodeJS.ErrnoException;
    return ["ENOENT", "ENOTDIR"].includes(code) ? null : describeFault(fault);
  }
}

/** Whether all folders above a path are folders: what lies behind a link in the project is not part of it. */
function makeRealityCheck(source: string): (path: Buffer) => boolean {
  const known = new Map<string, boolean>();
  const isReal = (folder: Buffer): boolean => {
    const key = folder.toString("latin1");
    const answer = known.get(key) ?? (isAboveReal(folder) && isFolder(makePlace(source, folder)));
    known.set(key, answer);
    return answer;
  };
  const isAboveReal = (path: Buffer) => {
    const end = path.lastIndexOf("/");
    return end === -1 || isReal(path.subarray(0, end));
  };
  return isAboveReal;
}

function isFolder(place: Buffer): boolean {
  const stats = findStats(place);
  return stats !== null && typeof stats !== "string" && stats.isDirectory();
}
