import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { type Check, isListOf, isNumber, isOrNull, isShape, isText, parseJson } from "../../base/shape.ts";

const SHOWN_BYTES = 80;

/** A file that the run left on its volume; `path` is relative to the run's folder there. */
export interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** How the command ended, as the launcher wrote it down. */
export interface ModalExit {
  readonly exitCode: number;
  readonly signal: string | null;
  readonly reason: "exited" | "signal" | "time_limit" | "never_started";
  /** By the container's clocks. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seconds: number;
  /** How often Modal started it: more than once where a machine was taken away. */
  readonly starts: number;
}

export interface FetchedRun {
  readonly exit: ModalExit;
  /** Every one is there, with the size and the hash that the run wrote down. */
  readonly files: readonly KeptFile[];
  /** What the run could not keep, and why. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

interface Manifest {
  readonly runId: string;
  readonly files: readonly KeptFile[];
  readonly leftOut: FetchedRun["leftOut"];
}

/** A path that stays below its folder, on every system. */
const isPath: Check = (value) =>
  typeof value === "string" &&
  value !== "" &&
  !/[\\\0]/.test(value) &&
  value.split("/").every((part) => part !== "" && part !== "." && part !== "..");
const isHash: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isManifest = isShape<Manifest>({
  runId: isText,
  files: isListOf(isShape<KeptFile>({ path: isPath, bytes: isNumber, sha256: isHash })),
  leftOut: isListOf(isShape<FetchedRun["leftOut"][number]>({ path: isText, reason: isText })),
});
const isExit = isShape<ModalExit>({
  ...{ exitCode: isNumber, signal: isOrNull(isText), reason: isText },
  ...{ startedAt: isText, endedAt: isText, seconds: isNumber, starts: isNumber },
});

/**
 * Compares a folder that came from a volume with the manifest in it, which the run wrote last of all: no error that was
 * saved in a file's place, no part of a file and no file of another run passes. Files beside these are not looked at.
 * @throws modal_results_broken
 */
export async function checkFetched(
  folder: string,
  { runId, volume }: { readonly runId: string; readonly volume: string },
): Promise<FetchedRun> {
  const refuse = (reason: string) => new SortieError("modal_results_broken", { run: runId, volume, reason });
  const text = await readText(join(folder, "manifest.json"));
  if (text === null) throw refuse("manifest.json is missing; the run has not come to its end there");
  const manifest = parseJson(text, isManifest);
  if (manifest === null) throw refuse(`manifest.json is none, it begins ${show(text)}`);
  if (manifest.runId !== runId) throw refuse(`it is that of run ${makePrintable(manifest.runId)}`);
  const problems: string[] = [];
  for (const file of manifest.files) {
    const problem = await findProblem(folder, file);
    if (problem !== null) problems.push(`${makePrintable(file.path)} ${problem}`);
  }
  if (problems.length > 0) throw refuse(describeProblems(problems));
  const exit = manifest.files.some(({ path }) => path === "exit.json")
    ? parseJson((await readText(join(folder, "exit.json"))) ?? "", isExit)
    : null;
  if (exit === null) throw refuse("exit.json is missing or no such record");
  return { exit, files: manifest.files, leftOut: manifest.leftOut };
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return null; // missing, or no file at all: both are said as missing
  }
}

async function findProblem(folder: string, { path, bytes, sha256 }: KeptFile): Promise<string | null> {
  const place = join(folder, path);
  try {
    // What was fetched holds no links: one would lead out of the folder.
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) {
      if (!(await lstat(join(folder, ...parts.slice(0, depth)))).isDirectory()) return "lies in no folder";
    }
    const facts = await lstat(place);
    if (!facts.isFile()) return "is no file";
    if (facts.size !== bytes) {
      return `has ${facts.size} bytes instead of ${bytes}, and begins ${await showStart(place)}`;
    }
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(place)) hash.update(chunk);
    return hash.digest("hex") === sha256 ? null : `has another hash, and begins ${await showStart(place)}`;
  } catch (fault) {
    const isMissing = (fault as NodeJS.ErrnoException).code === "ENOENT";
    return isMissing ? "is missing" : `cannot be read: ${describeFault(fault)}`;
  }
}

async function showStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SHOWN_BYTES), 0, SHOWN_BYTES, 0);
    return show(buffer.subarray(0, bytesRead).toString());
  } finally {
    await file.close();
  }
}

function show(text: string): string {
  return `\`${makePrintable(text.slice(0, SHOWN_BYTES)).replace(/\s+/g, " ")}\``;
}

function describeProblems(problems: readonly string[]): string {
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
  return `${problems.slice(0, 3).join("; ")}${more}`;
}
