import { quoteCommand, quoteShell } from "../../base/quote.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import { chooseSupervisorShell } from "../../runs/run-script.ts";
import processFunctions from "../../runs/scripts/process.sh";
import { makeStartScript, parseStartAnswer, type StartAnswer } from "../../runs/start-script.ts";
import { freezeFunctions } from "../../sync/send/freeze-code.ts";
import { checkSentFunctions } from "../../sync/send/sent-check.ts";
import type { Job, SentCode } from "../target.ts";
import { makeHostScript } from "./host-script.ts";
import { makePutBytes, makePutFiles } from "./job-files.ts";
import launch from "./scripts/launch.sh";
import logout from "./scripts/logout.sh";

/** Random words, one for the work before the start, one for the start itself. */
export interface LaunchTokens {
  readonly launch: string;
  readonly start: string;
}

/** What the host would not or could not do before the start. */
export interface Refusal {
  /** A word of the scripts: `unwritable`, `busy`, `code`. */
  readonly refused: string;
  readonly words: string;
  /** All that was printed until then. */
  readonly lines: readonly (readonly [key: string, value: string])[];
}

/** One script that makes the job folder, brings the code to what was sent, and starts the run. */
export function makeLaunchScript(job: Job, tokens: LaunchTokens): string {
  // Nothing of this machine's environment gets there.
  const supervisorShell = chooseSupervisorShell(job.supervisor.gpuCount, {});
  const start = makeStartScript({
    jobFolder: job.supervisor.jobFolder,
    attempt: job.attempt,
    session: job.session,
    supervisorShell,
    token: tokens.start,
  });
  return makeHostScript([...makePreparation(job, tokens.launch), `start ${quoteShell(start)}`]);
}

/** The script of a run whose start comes later: all of that but the start. The copy of the code is made now, for the code may change. */
export function makePrepareScript(job: Job, token: string): string {
  return makeHostScript(makePreparation(job, token));
}

/** A run that is on record already has all of it. */
function makePreparation(job: Job, token: string): string[] {
  const supervisorShell = chooseSupervisorShell(job.supervisor.gpuCount, {});
  return [
    makeSettings({
      sortie_job_folder: job.supervisor.jobFolder,
      sortie_attempt: String(job.attempt),
      sortie_token: token,
    }),
    processFunctions,
    logout,
    launch,
    makePutFiles(job, supervisorShell),
    ...(job.sent === null ? [] : [checkSentFunctions, freezeFunctions]),
    'echo "begin=$sortie_token"',
    "make_folder",
    "take_turn",
    'if [ ! -e "$sortie_files/pid" ]; then',
    "put_files",
    ...(job.sent === null ? [] : makeCodeCalls(job.sent)),
    "fi",
    'echo "end=$sortie_token"',
  ];
}

/** A copy that is there already was checked when it was made: later syncs do not touch it. */
function makeCodeCalls({ codeDir, manifest, freeze }: SentCode): string[] {
  const check = [makePutBytes("sent", manifest), quoteCommand(["check_code", codeDir])];
  if (freeze === null) return check;
  const copy = [makePutBytes("list", freeze.list), quoteCommand(["freeze_code", codeDir, ...freeze.without])];
  return ['if [ ! -d "$sortie_job_folder/code" ]; then', ...check, ...copy, "fi"];
}

/** null: neither has come. */
export function readLaunch(stdout: string, tokens: LaunchTokens): StartAnswer | Refusal | null {
  const answer = parseStartAnswer(stdout, tokens.start);
  if (answer) return answer;
  const prepared = readPrepared(stdout, tokens.launch);
  return prepared === "done" ? null : prepared;
}

/** null: it did not come to its end. */
export function readPrepared(stdout: string, token: string): "done" | Refusal | null {
  const lines = readAnswer(stdout, token);
  if (!lines) return null;
  const { refused, words = "" } = Object.fromEntries(lines);
  return refused === undefined ? "done" : { refused, words, lines };
}
