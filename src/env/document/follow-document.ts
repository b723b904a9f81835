import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { makePrintable } from "../../base/printable.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import type { Outcome } from "../../process/runner.ts";
import type { EnvHost } from "../env-host.ts";
import type { DocumentedCommand } from "./find-document.ts";
import followScript from "./follow.sh";
import { type CommandEnd, type Divergence, listDivergences } from "./list-divergences.ts";
import { makeListFunction } from "./list-files.ts";

/** What the copy of the code may take, over the time of the command. */
const COPY_MS = 300_000;
const TAIL_CHARACTERS = 4000;

export interface FollowTerms {
  readonly commands: readonly DocumentedCommand[];
  /** How the environment is entered; whatever its shell, a command is run by its own. */
  readonly enter: { readonly lines: readonly string[]; readonly shell: "sh" | "bash" };
  /** The code on the host. `files`: paths in it, each with a zero byte behind it; null: all of it but `.git`. */
  readonly code: { readonly folder: string; readonly files: Uint8Array | null };
  /** For each command. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface FollowedDocument {
  /** It does what it says. */
  readonly passed: boolean;
  readonly divergences: readonly Divergence[];
  /** The end of what the commands printed, in printable characters. */
  readonly tail: string;
  readonly seconds: number;
}

/**
 * Does on the host what a document says, to the letter: each command in a fresh folder with a copy of the code, in an
 * environment of HOME, PATH, LANG, USER, SHELL and TMPDIR, after entering the one that is judged. Nothing of it is left.
 * @throws document_unfollowed where that says nothing about the document, and what the host throws
 */
export async function followDocument(host: EnvHost, terms: FollowTerms): Promise<FollowedDocument> {
  const ends: { command: DocumentedCommand; end: CommandEnd }[] = [];
  for (const command of terms.commands)
    ends.push({ command, end: await followCommand(host, command, terms) });
  const divergences = ends.flatMap(({ command, end }) => listDivergences(command, end));
  return {
    passed: divergences.length === 0,
    divergences,
    tail: makePrintable(ends.map(({ end }) => end.output).join("")).slice(-TAIL_CHARACTERS),
    seconds: ends.reduce((sum, { end }) => sum + end.seconds, 0),
  };
}

async function followCommand(
  host: EnvHost,
  command: DocumentedCommand,
  terms: FollowTerms,
): Promise<CommandEnd> {
  const token = makeToken();
  const outcome = await host.runScript(makeScript(command, terms, token), {
    timeoutMs: terms.timeoutMs + COPY_MS,
    signal: terms.signal,
  });
  const answer = new Map(readAnswer(outcome.stdout, token));
  const fault = answer.get("fault");
  if (fault !== undefined) throw makeUnfollowed(host, fault);
  const told = outcome.stdout.split(`\nend=${token}\n`)[1]?.split(`\nwhole=${token}\n`);
  if (told?.length !== 2) throw makeUnfollowed(host, explainSilence(outcome));
  return readEnd(answer, told[0] ?? "", terms.timeoutMs);
}

function makeScript(
  command: DocumentedCommand,
  { enter, code, timeoutMs }: FollowTerms,
  token: string,
): string {
  const settings = makeSettings({
    sortie_token: token,
    sortie_code: code.folder,
    sortie_listed: code.files === null ? "" : "yes",
    sortie_enter: enter.lines.map((line) => `{ ${line}\n} >/dev/null </dev/null || exit`).join("\n"),
    sortie_enter_shell: enter.shell,
    sortie_text: command.text,
    sortie_shell: command.shell,
    sortie_expected: listExpectedFiles(command).join("\n"),
    sortie_limit_s: String(Math.max(1, Math.ceil(timeoutMs / 1000))),
  });
  return settings + makeListFunction(code.files ?? new Uint8Array()) + followScript;
}

function listExpectedFiles({ expectations }: DocumentedCommand): string[] {
  return expectations.flatMap((expectation) => (expectation.kind === "file" ? [expectation.path] : []));
}

function readEnd(answer: ReadonlyMap<string, string>, output: string, timeoutMs: number): CommandEnd {
  const stoppedBy = answer.get("stopped_by");
  return {
    hasEntered: answer.get("entered") === "yes",
    exitCode: stoppedBy === undefined ? Number(answer.get("exit")) : null,
    stopped: stoppedBy === undefined ? null : explainStop(stoppedBy, timeoutMs),
    files: [...answer].filter(([key]) => key.startsWith("file_")).map(([, state]) => state),
    output,
    seconds: Number(answer.get("seconds")),
  };
}

function explainStop(stoppedBy: string, timeoutMs: number): string {
  if (stoppedBy === "time_limit") return `it still ran after ${Math.ceil(timeoutMs / 1000)} s, and was ended`;
  return "it printed more than 64 MiB, and was ended";
}

function explainSilence({ timedOut, signal, stderr }: Outcome): string {
  if (timedOut) return "it did not answer in time";
  return (
    stderr.trimEnd().split("\n").at(-1) || (signal === null ? "it was called off" : `it ended by ${signal}`)
  );
}

function makeUnfollowed({ name }: EnvHost, reason: string): SortieError {
  return new SortieError("document_unfollowed", { host: name, reason: makePrintable(reason) });
}
