import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { quotePath, quoteShell } from "../../base/quote.ts";
import { makeSettings } from "../../base/script.ts";
import type { EnvHost } from "../env-host.ts";
import insideScript from "./inside.sh";

/** An environment on its host, as a job gets into it. */
export interface Inside {
  /** How a shell enters it; each line must succeed. */
  readonly enter: { readonly lines: readonly string[]; readonly shell: "sh" | "bash" };
  /** Its interpreter: a path, or a name that is on PATH once it is entered. */
  readonly python: string;
  /** The project's folder on the host, where it is entered; null: any. */
  readonly folder: string | null;
  /** The spec's own, over those of the person. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface InsideJob {
  /** Shell text, in the entered environment: `$sortie_python` is the interpreter, `$sortie_place` the job's folder. */
  readonly text: string;
  /** Python files, found in `$sortie_place/programs`. */
  readonly programs: Readonly<Record<string, string>>;
  /** Where the text runs: in the project, or in an empty folder. */
  readonly runsIn: "project" | "empty";
  /** It, and all that it starts, is killed after that. */
  readonly timeoutS: number;
  /** Shell text that takes the GPU's lease, which the job then holds, or exits with 75. */
  readonly lease?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a job has come to before its own text: what it fails in has another cause, each. */
type Stage = "lease" | "folder" | "enter" | "run";

export interface InsideOutcome {
  /** `taken`: another holds the GPU. */
  readonly state: "ended" | "timed_out" | "too_long" | "taken";
  readonly stage: Stage;
  /** 128 and more: a signal. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Files that the job has left in `$sortie_place/parts`, by name; the last 64 KiB of each. */
  readonly parts: Readonly<Record<string, string>>;
}

const EXIT_TAKEN = 75;
/** What the host may take beyond the job's own time. */
const PATIENCE_MS = 30_000;

/**
 * Runs a job inside an environment and leaves nothing of it behind, neither a process nor a file.
 * @throws environment_silent where the host gave no answer, interrupted, and what its host throws
 */
export async function runInside(host: EnvHost, inside: Inside, job: InsideJob): Promise<InsideOutcome> {
  const token = makeToken();
  const { shell } = inside.enter;
  const timeoutMs = job.timeoutS * 1000 + PATIENCE_MS;
  const outcome = await host.runScript(makeScript(inside, job, token), {
    shell,
    timeoutMs,
    signal: job.signal,
  });
  const answer = readAnswer(outcome.stdout, token);
  if (answer !== null) return answer;
  if (job.signal?.aborted) throw new SortieError("interrupted");
  const said = outcome.stderr.trimEnd().split("\n").at(-1);
  const reason = outcome.timedOut ? "its time was over" : said || `its shell ended with ${outcome.exitCode}`;
  throw new SortieError("environment_silent", { host: host.name, reason });
}

function makeScript({ enter, ...inside }: Inside, job: InsideJob, token: string): string {
  const programs = Object.entries(job.programs).map(
    ([name, text]) => `printf '%s' ${quoteShell(text)} >${quoteShell(name)} || return`,
  );
  const settings = makeSettings({
    sortie_token: token,
    sortie_limit: String(Math.ceil(job.timeoutS)),
    sortie_shell: enter.shell,
    sortie_job: makeJob({ enter, ...inside }, job),
  });
  return [settings, "write_programs() {", ...programs, "true", "}", insideScript].join("\n");
}

function makeJob({ enter, python, folder, variables }: Inside, { text, lease, runsIn }: InsideJob): string {
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteShell(value)}`);
  const stage = (name: Stage) => `printf ${name} >"$sortie_place/stage"`;
  return [
    "sortie_place=$1; shift",
    ...(lease === undefined ? [] : [stage("lease"), `{ ${lease}\n} >&2 || exit`]),
    stage("folder"),
    `cd ${folder === null ? '"$sortie_place/work"' : quotePath(folder)} || exit`,
    stage("enter"),
    ...enter.lines.map((line) => `{ ${line}\n} >&2 || exit`),
    ...exports,
    `sortie_python=$(command -v ${quotePath(python)}) || { echo ${quoteShell(`${python} is not there`)} >&2; exit 127; }`,
    "case $sortie_python in /*) ;; *) sortie_python=$PWD/$sortie_python ;; esac",
    ...(runsIn === "empty" ? ['cd "$sortie_place/work" || exit'] : []),
    stage("run"),
    text,
  ].join("\n");
}

function readAnswer(stdout: string, token: string): InsideOutcome | null {
  const sections = stdout.split(`\n@${token} `).slice(1);
  if (sections.at(-1)?.trimEnd() !== "end") return null;
  const files: Record<string, string> = {};
  const values: Record<string, string> = {};
  for (const section of sections) {
    const end = section.indexOf("\n");
    const [key = "", value = ""] = section.slice(0, end).split(" ");
    if (key === "file") files[value] = section.slice(end + 1);
    else values[key] = value;
  }
  const { stage, stdout: own = "", stderr = "", ...parts } = files;
  const exitCode = Number(values["exit"]);
  const isTaken = stage === "lease" && exitCode === EXIT_TAKEN;
  return {
    state: isTaken ? "taken" : (values["state"] as InsideOutcome["state"]),
    ...{ stage: (stage ?? "folder") as Stage, exitCode, stdout: own, stderr, parts },
  };
}
