import { mkdirSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { hashFile } from "../../runs/copy-verified.ts";
import type { FetchedFile, FetchedFiles } from "../../runs/fetched-files.ts";
import { type HostHash, makeHashScript, parseHashAnswer } from "../../runs/hash-script.ts";
import type { FetchWish, Transfer } from "../target.ts";
import { askForBytes } from "./ask-for-bytes.ts";
import type { HostRunner } from "./ask-host.ts";

const ROUNDS = 3;
/** Large results over a slow line; what was cut is gone on with. */
const TRANSFER_MS = 24 * 3600 * 1000;
const ANSWER_MS = 60_000;
/** A slow disk reads so many bytes in a millisecond, at least. */
const BYTES_PER_MS = 10_000;

interface FetchOptions {
  readonly onProgress?: (transfer: Transfer) => void;
  readonly signal?: AbortSignal;
}

/**
 * Files of a host as they are there, by rsync; links as what they lead to. A file counts as fetched when its hash here is
 * the one that the host tells afterwards. Cut, it leaves what has come, and the next call goes on from there.
 * @throws sync_failed, results_unreadable, and what the network throws
 */
export async function fetchOverSsh(
  runner: HostRunner,
  { files, into }: FetchWish,
  options: FetchOptions = {},
): Promise<FetchedFiles> {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const fetched = new Map<string, FetchedFile>();
  let left: readonly Buffer[] = files;
  for (let round = 1; left.length > 0; round += 1) {
    const there = await transfer(runner, { files: left, into }, { ...options, isAgain: round > 1 });
    const compared = await compare(runner, { files: there, into }, options);
    const changed = compared.filter(({ home, host }) => home.sha256 !== host && host !== "gone");
    for (const { path, home, host } of compared) {
      const changing = home.sha256 !== host;
      if (host !== "gone" && (!changing || round === ROUNDS))
        fetched.set(path.toString("latin1"), { ...home, changing });
    }
    left = round === ROUNDS ? [] : changed.map(({ path }) => path);
  }
  return fetched;
}

/** Answers with those that were still there. */
async function transfer(
  runner: HostRunner,
  { files, into }: FetchWish,
  { isAgain, onProgress, signal }: FetchOptions & { isAgain: boolean },
): Promise<readonly Buffer[]> {
  try {
    await runner.rsync({
      ...{ direction: "fetch", folder: into, remoteFolder: "/", timeoutMs: TRANSFER_MS },
      filesFrom: files.map((path) => path.subarray(1)),
      // A file that was changed within its size and second looks the same: it is read and compared all the same.
      args: ["--copy-links", "--sparse", ...(isAgain ? ["--ignore-times"] : [])],
      ...(onProgress
        ? { onProgress: ({ bytes, percent }) => onProgress({ bytes, part: percent / 100 }) }
        : {}),
      ...(signal ? { signal } : {}),
    });
    return files;
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "sync_failed") throw fault;
    // Files that have gone since they were listed are no fault of the others.
    const looks = await askForHashes(runner, files, { timeoutMs: ANSWER_MS, onlyLook: true, signal });
    const there = files.filter((_, index) => looks[index] !== "gone");
    if (there.length === files.length) throw fault;
    return there.length === 0
      ? []
      : transfer(runner, { files: there, into }, { isAgain, onProgress, signal });
  }
}

interface Compared {
  readonly path: Buffer;
  readonly home: Omit<FetchedFile, "changing">;
  readonly host: HostHash;
}

/** The hashes on both sides, which are read at the same time. */
async function compare(
  runner: HostRunner,
  { files, into }: FetchWish,
  { signal }: FetchOptions,
): Promise<Compared[]> {
  if (files.length === 0) return [];
  const places = files.map((path) => Buffer.concat([Buffer.from(into), path]));
  let bytes = 0;
  for (const place of places) bytes += (await lstat(place)).size;
  const timeoutMs = ANSWER_MS + bytes / BYTES_PER_MS;
  const [hashes, homes] = await Promise.all([
    askForHashes(runner, files, { timeoutMs, signal }),
    hashEach(places),
  ]);
  return files.map((path, index) => {
    const host = checkHash(hashes[index] as HostHash, path, runner.host);
    return { path, host, home: homes[index] as Compared["home"] };
  });
}

async function hashEach(places: readonly Buffer[]): Promise<Compared["home"][]> {
  const homes: Compared["home"][] = [];
  for (const place of places) homes.push({ place, ...(await hashFile(place)) });
  return homes;
}

function askForHashes(
  runner: HostRunner,
  files: readonly Buffer[],
  options: { timeoutMs: number; onlyLook?: boolean; signal: AbortSignal | undefined },
): Promise<HostHash[]> {
  const token = makeToken();
  return askForBytes(runner, {
    script: makeHashScript(files, token, options),
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    read: (printed) => parseHashAnswer(printed.toString("latin1"), files.length, token),
  });
}

function checkHash(hash: HostHash, path: Buffer, host: string): HostHash {
  if (hash === "unreadable") {
    throw new SortieError("results_unreadable", { path: path.toString(), reason: `${host} cannot read it` });
  }
  if (hash !== "no_program") return hash;
  const reason = "the host has no program that tells hashes, so nothing could be checked";
  const advice = "Make one of these known to its PATH: sha256sum, shasum, openssl.";
  throw new SortieError("sync_failed", { host, reason, advice });
}
