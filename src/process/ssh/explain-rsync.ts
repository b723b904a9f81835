import { existsSync } from "node:fs";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Outcome } from "../runner.ts";

/** Ours, not rsync's: the folder on the host cannot be entered. */
export const NO_FOLDER_CODE = 97;
/** What our wrapper says when the host's shell ended before rsync was started there. */
const SILENT = "sortie_rsh=silent";

export interface TransferEnds {
  /** The host, for people. */
  readonly host: string;
  readonly folder: string;
  readonly remoteFolder: string;
  explain(outcome: Outcome): SortieError;
}

/** What rsync's exit codes mean where nothing better is known. */
const MEANINGS: Readonly<Record<number, string>> = {
  2: "the two rsyncs do not understand each other",
  10: "the connection of the two rsyncs broke",
  11: "a file could not be written",
  12: "the connection of the two rsyncs broke",
  20: "it was stopped",
  23: "not all files could be copied",
  24: "files vanished while they were copied",
  30: "nothing came for too long",
};

const AGAIN = "What has come is kept: the same command goes on from there.";
const BREAKS = [10, 12, 20, 30];

/** Why a transfer failed, by the exit code of the local rsync and what both sides said. */
export function explainRsync(outcome: Outcome, ends: TransferEnds): SortieError {
  const { stderr } = outcome;
  const exitCode = findCode(outcome);
  const fail = (reason: string, advice: string) =>
    new SortieError("sync_failed", { host: ends.host, reason, advice });
  const words = pickWords(stderr);
  if (outcome.notStarted && !existsSync(ends.folder))
    return fail(`${ends.folder} is not there`, "Look where the project's folder has gone.");
  if (outcome.notStarted) return fail(`there is no rsync on this machine (${words})`, "Install it here.");
  if (outcome.timedOut) return fail("its time limit was over", AGAIN);
  if (exitCode === null || exitCode === 255)
    return ends.explain({ ...outcome, exitCode, stdout: "", stderr: dropRsync(stderr) });
  if (/\brsync: (?:command )?not found|exec: rsync/.test(stderr))
    return fail("there is no rsync on the host", "Install it there, or ask whoever runs the host to.");
  if (exitCode === NO_FOLDER_CODE)
    return fail(
      `${ends.remoteFolder} cannot be entered there (${words})`,
      "Look at the folder and its rights, or name another one.",
    );
  if (stderr.includes(SILENT))
    return ends.explain({ ...outcome, exitCode: 0, stdout: "", stderr: dropRsync(stderr) });
  if (/No space left|quota exceeded/i.test(stderr))
    return fail(`a disk is full (${words})`, `Free space in ${findSide(stderr, ends)}. ${AGAIN}`);
  // Newer rsyncs do not go through a link, lest it leads where nobody meant to write; the older ones do.
  if (/symbolic links \(\d+\)/.test(stderr))
    return fail(
      `a folder is a link there, which its rsync does not go through (${words})`,
      `Put a real folder in its place, or leave it out with sync_exclude. ${AGAIN}`,
    );
  const meaning = MEANINGS[exitCode] ?? `rsync ended with ${exitCode}`;
  return fail(
    words ? `${meaning} (${words})` : meaning,
    BREAKS.includes(exitCode) ? AGAIN : `Settle what it names. ${AGAIN}`,
  );
}

/** rsync ends with the greater code of its own and of ssh, if ssh has ended by then. */
function findCode({ exitCode, stderr }: Outcome): number | null {
  const told = Number(/^sortie_rsh_code=(\d+)$/m.exec(stderr)?.[1] ?? 0);
  return exitCode === null ? null : Math.max(exitCode, told);
}

/** rsync names the process that has a fault, not the machine: the receiver is where files are written. */
function findSide(stderr: string, { host, folder, remoteFolder }: TransferEnds): string {
  return stderr.includes(folder) ? folder : `${remoteFolder} on ${host}, or in ${folder}`;
}

/** rsync's own words about a connection are of no use where ssh's tell why it broke. */
function dropRsync(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !/^rsync(?: error)?:|^sortie_rsh/.test(line))
    .join("\n");
}

/** The first lines of what was said: rsync tells the cause first, and its own end last. */
function pickWords(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const told = lines.filter((line) => line !== "" && !/^rsync error:|^sortie_rsh/.test(line));
  const cause = told.filter((line) => /\(\d+\)/.test(line));
  return makePrintable((cause.length > 0 ? cause : told).slice(0, 3).join("; ")).slice(0, 500);
}
