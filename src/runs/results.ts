import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { describeFault, SortieError } from "../base/error.ts";
import { copyVerified, type VerifiedCopy } from "./copy-verified.ts";
import type { FoundResult } from "./find-results.ts";
import {
  type CollectedResult,
  findEarlier,
  MANIFEST,
  type Manifest,
  writeManifest,
} from "./results-manifest.ts";
import { makeStaging, removeAbandoned, type Staging } from "./staging.ts";

export { checkResultsGlob, type FoundResult, findResults, makeResultTest } from "./find-results.ts";

export interface CollectRequest {
  /** Whose results they are; a folder that holds another run's is refused. */
  readonly run?: string;
  /** The run's folder, from which relative paths count. */
  readonly folder: string;
  readonly results: readonly FoundResult[];
  /** A folder of their own, which must be empty or not there. */
  readonly into: string;
  /** The results lie where an earlier call stored them, and keep their places. */
  readonly arePlaced?: boolean;
  /** Further files to put beside them: the log, the samples. */
  readonly also?: readonly { readonly from: string; readonly name: string }[];
  /** How a file gets to its place; null: it is not there. Absent: it is copied on this machine. */
  readonly copy?: (source: Buffer, place: Buffer) => Promise<VerifiedCopy | null>;
}

/** What was brought home, and what was gone when it was to be copied. */
export type Collection = Pick<Manifest, "results" | "missing">;

/**
 * Copies results to `into`, checks every copy by its hash, and makes `into` appear whole with one rename, its list in
 * `results.json`. Whatever kills it leaves no half folder; what was brought home before is kept and told again.
 * @throws results_place_taken, results_unreadable, results_unwritable
 */
export async function collectResults(
  request: CollectRequest,
  clock: Clock = systemClock,
): Promise<Collection> {
  const { run } = request;
  const into = resolve(request.into);
  const begun = beginWriting(into, run, clock);
  if ("earlier" in begun) return begun.earlier;
  const { staging } = begun;
  try {
    const manifest = await fillFolder(staging.folder, request);
    if (staging.putInPlace()) return manifest;
    return findEarlier(into, run) ?? manifest;
  } catch (fault) {
    const left = isRemoved(staging) ? "Nothing was left there." : `A part was left in ${staging.folder}.`;
    throw makeWritingFault(into, fault, left);
  } finally {
    isRemoved(staging);
  }
}

function beginWriting(
  into: string,
  run: string | undefined,
  clock: Clock,
): { earlier: Manifest } | { staging: Staging } {
  try {
    removeAbandoned(dirname(into), clock.now());
    const earlier = findEarlier(into, run);
    return earlier === null ? { staging: makeStaging(into) } : { earlier };
  } catch (fault) {
    throw makeWritingFault(into, fault, "Nothing was left there.");
  }
}

async function fillFolder(folder: string, request: CollectRequest): Promise<Manifest> {
  const { also = [], copy: copyFile = copyVerified } = request;
  const results: CollectedResult[] = [];
  const extras: Manifest["also"][number][] = [];
  const missing: string[] = [];
  const taken = new Set([MANIFEST, FROM_ROOT, SAME_NAME, ...also.map(({ name }) => name)]);
  for (const result of request.results) {
    const path = readPath(result);
    const stored = request.arePlaced ? path : choosePlace(path, taken);
    const copy = await copyInto(folder, stored, findSource(request.folder, path), copyFile);
    const { path: text, pathBytes } = result;
    if (copy === null) missing.push(text);
    else results.push({ path: text, ...(pathBytes && { pathBytes }), ...describePlace(stored), ...copy });
  }
  for (const { from, name } of also) {
    const copy = await copyInto(folder, Buffer.from(name), Buffer.from(from), copyFile);
    if (copy === null) missing.push(from);
    else extras.push({ name, ...copy });
  }
  const manifest: Manifest = {
    schema: 1,
    run: request.run ?? null,
    folder: request.folder,
    results,
    also: extras,
    missing,
  };
  writeManifest(folder, manifest);
  return manifest;
}

/** Where absolute paths go, and paths whose place one of our own files has. */
const FROM_ROOT = "from-root";
const SAME_NAME = "same-name";

function choosePlace(path: Buffer, taken: ReadonlySet<string>): Buffer {
  const text = path.toString("latin1");
  if (text.startsWith("/")) return Buffer.from(`${FROM_ROOT}${text}`, "latin1");
  const top = text.split("/")[0] as string;
  return taken.has(top) ? Buffer.from(`${SAME_NAME}/${text}`, "latin1") : path;
}

function describePlace(stored: Buffer): Pick<CollectedResult, "storedAs" | "storedAsBytes"> {
  const storedAs = stored.toString();
  if (Buffer.from(storedAs).equals(stored)) return { storedAs };
  return { storedAs, storedAsBytes: stored.toString("base64") };
}

function readPath({ path, pathBytes }: FoundResult): Buffer {
  return pathBytes === undefined ? Buffer.from(path) : Buffer.from(pathBytes, "base64");
}

/** Where results lie: absolute, in bytes. */
export function findSources(folder: string, results: readonly FoundResult[]): Buffer[] {
  return results.map((result) => findSource(folder, readPath(result)));
}

function findSource(folder: string, path: Buffer): Buffer {
  return path.toString("latin1").startsWith("/") ? path : joinBytes(folder, path);
}

async function copyInto(
  folder: string,
  stored: Buffer,
  source: Buffer,
  copyFile: typeof copyVerified,
): Promise<VerifiedCopy | null> {
  const place = joinBytes(folder, stored);
  mkdirSync(place.subarray(0, place.lastIndexOf("/")), { recursive: true });
  return copyFile(source, place);
}

function joinBytes(folder: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), path]);
}

function isRemoved(staging: Staging): boolean {
  try {
    staging.remove();
    return true;
  } catch {
    return false; // the caller says what is left; the next call tries again
  }
}

function makeWritingFault(into: string, fault: unknown, left: string): SortieError {
  if (fault instanceof SortieError) return fault;
  return new SortieError("results_unwritable", { path: into, reason: describeFault(fault), left }, fault);
}
