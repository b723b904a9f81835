import type { Stats } from "node:fs";
import { makePlace } from "../byte-paths.ts";
import { makeOutputMatcher } from "../output-files.ts";
import type { EntryKind } from "../walk-files.ts";
import type { SendFacts, Wish } from "./send-rules.ts";

export interface SortScope {
  /** The project, without symlinks in its path. */
  readonly source: string;
  /** The run's folder in it, from which `results` count. */
  readonly folder: string;
  readonly results: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Relative to the project; empty for the project itself. */
  readonly copies: readonly string[];
}

/** What a list of files knows of a path besides its name. */
export interface Known {
  readonly tracked?: boolean;
  readonly ignored?: boolean;
  readonly marked?: boolean;
}

/** Answers with what the rules look at; without `stats` a path stands for a folder or a plain file. */
export function makeFactsFinder(scope: SortScope) {
  const { source, folder, results, include, exclude, copies } = scope;
  const match = (globs: readonly string[]) =>
    makeOutputMatcher({ root: source, folder: source, outputs: globs });
  const [isIncluded, isExcluded] = [match(include), match(exclude)];
  const isResult = makeOutputMatcher({ root: source, folder, outputs: results });

  const findWish = (path: string): Wish => {
    if (copies.includes(path)) return "named";
    if (copies.some((copy) => copy === "" || path.startsWith(`${copy}/`))) return "copied";
    return isIncluded(path) ? "included" : "none";
  };

  return (bytesPath: Buffer, known: Known, stats: Stats | null): SendFacts => {
    const path = bytesPath.toString();
    const name = path.replace(/\/$/, "");
    return {
      path,
      place: makePlace(source, bytesPath),
      kind: findKind(path, stats),
      bytes: stats?.size ?? 0,
      wish: findWish(name),
      tracked: known.tracked ?? false,
      ignored: known.ignored ?? false,
      marked: known.marked ?? false,
      excluded: isExcluded(name),
      result: isResult(name),
      holdsKey: false,
    };
  };
}

function findKind(path: string, stats: Stats | null): EntryKind | "folder" {
  if (path.endsWith("/")) return "folder";
  if (stats === null || stats.isFile()) return "file";
  return stats.isSymbolicLink() ? "link" : "special";
}
