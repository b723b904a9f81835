import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Outcome, Runner } from "../../process/runner.ts";
import {
  type ModalApp,
  readApps,
  readNames,
  readVolumeEntries,
  readWorkspace,
  type VolumeEntry,
} from "./read-answers.ts";
import { MODAL_VARIABLES } from "./run-modal.ts";

const ANSWER_MS = 60_000;
const STOP_MS = 120_000;
const FETCH_MS = 6 * 3600 * 1000;
const MOST_REASON = 600;

/** The user's own program `modal`, on this machine. */
export interface ModalProgram {
  readonly runner: Runner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/**
 * The workspace that pays, asked of Modal itself: `modal profile current` names one without any login. null: there is a
 * login, and the program is too old to say whose.
 * @throws modal_program_missing, modal_login_missing, modal_away
 */
export async function loadWorkspace(modal: ModalProgram): Promise<string | null> {
  try {
    return await ask(modal, ["token", "info"], readWorkspace);
  } catch (fault) {
    if (!(fault instanceof SortieError) || !/No such command/.test(fault.message)) throw fault;
    await listSecrets(modal);
    return null;
  }
}

/** @throws as `loadWorkspace`, and modal_answer_unreadable; as all that follow */
export function listSecrets(modal: ModalProgram): Promise<string[]> {
  return ask(modal, ["secret", "list", "--json"], readNames);
}

export function listVolumes(modal: ModalProgram): Promise<string[]> {
  return ask(modal, ["volume", "list", "--json"], readNames);
}

/** Those that run, are deployed, or stopped lately. */
export function listApps(modal: ModalProgram): Promise<ModalApp[]> {
  return ask(modal, ["app", "list", "--json"], readApps);
}

/** By id. Whether it has stopped, is known by `listApps` alone. */
export async function stopApp(modal: ModalProgram, id: string): Promise<void> {
  await ask(modal, ["app", "stop", "--yes", "--", id], String, STOP_MS);
}

/** The last entries of an app's log, as Modal keeps it. */
export function loadAppLog(modal: ModalProgram, id: string, entries: number): Promise<string> {
  return ask(modal, ["app", "logs", "--tail", String(entries), "--", id], String);
}

export function listVolumeFolder(modal: ModalProgram, volume: string, path: string): Promise<VolumeEntry[]> {
  return ask(modal, ["volume", "ls", "--json", "--", volume, path], readVolumeEntries);
}

/** Brings a folder of a volume into the folder `to`, which must be there, under its own last name. */
export async function fetchVolumeFolder(
  modal: ModalProgram,
  { volume, path, to }: { readonly volume: string; readonly path: string; readonly to: string },
): Promise<void> {
  await ask(modal, ["volume", "get", "--force", "--", volume, path, to], String, FETCH_MS);
}

async function ask<Answer>(
  { runner, env, cwd, signal }: ModalProgram,
  args: readonly string[],
  read: (stdout: string) => Answer | null,
  timeoutMs = ANSWER_MS,
): Promise<Answer> {
  const outcome = await runner.run(["modal", ...args], {
    ...{ env: { ...env, ...MODAL_VARIABLES }, cwd, timeoutMs },
    ...(signal === undefined ? {} : { signal }),
  });
  const command = args.slice(0, 2).join(" ");
  if (outcome.exitCode !== 0) throw describeRefusal(command, outcome);
  const answer = read(outcome.stdout);
  if (answer !== null) return answer;
  const shown = showText(outcome.stdout);
  throw new SortieError("modal_answer_unreadable", { command, reason: shown === "" ? "it is empty" : shown });
}

function describeRefusal(command: string, { notStarted, timedOut, stdout, stderr }: Outcome): SortieError {
  if (notStarted) return new SortieError("modal_program_missing", {});
  const said = showText(stderr.trim() === "" ? stdout : stderr);
  if (isLoginFault(said)) return new SortieError("modal_login_missing", { reason: said });
  const reason = timedOut ? "it did not answer in time" : said || "it said nothing";
  return new SortieError("modal_away", { command, reason });
}

/** Whether Modal's words mean that nobody, or nobody whom it knows, is logged in. */
export function isLoginFault(text: string): boolean {
  return /token missing|could not authenticate|token (validation failed|is malformed|not found)|unauthenticated|invalid token|AuthError/i.test(
    text,
  );
}

/** For one sentence: no control characters, bounded, without the word `Error:` before and a full stop behind it. */
function showText(text: string): string {
  const line = makePrintable(text).replace(/\s+/g, " ").trim();
  return line
    .replace(/^Error: /, "")
    .slice(0, MOST_REASON)
    .replace(/\.$/, "");
}
