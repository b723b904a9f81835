import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatDuration } from "../../base/duration.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { makeFileOnce, removeFile, writeFileAtomic } from "../../disk/atomic-file.ts";
import leaseFunctions from "../../gpus/lease.sh";
import { loadGpuReport } from "../../gpus/load-gpus.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { readRangesHere } from "../../runs/file-ranges.ts";
import { nameJobFiles } from "../../runs/job-folder.ts";
import { makeEnvFile } from "../../runs/job-script.ts";
import { makeFileLog } from "../../runs/log-source.ts";
import { listMadeHere } from "../../runs/made-files.ts";
import { makeObserveScript, makeWatchStartScript, parseObserveAnswer } from "../../runs/observe-script.ts";
import { chooseSupervisorShell, makeRunScript, type ShellName } from "../../runs/run-script.ts";
import { makeStartScript, parseStartAnswer } from "../../runs/start-script.ts";
import { makeStopScript, parseStopAnswer } from "../../runs/stop-script.ts";
import type { Job, JobHandle, Target } from "../target.ts";
import { preflightLocally } from "./preflight-locally.ts";

const ANSWER_MS = 30_000;
const STOP_MARGIN_MS = 30_000;

/** This machine as a target. */
export function makeLocalTarget(options: {
  jobDir: string;
  freeMemoryMiB: number;
  /** The environment of scripts that only look; a launch gets its own. */
  env: Readonly<Record<string, string | undefined>>;
}): Target {
  const runner = makeLocalRunner();
  const loadGpus: Target["loadGpus"] = ({ python }) =>
    loadGpuReport(runner, { freeMemoryMiB: options.freeMemoryMiB, python, env: options.env });
  const runScript = (text: string, timeoutMs = ANSWER_MS) =>
    runner.run(["sh", "-s"], { stdin: text, env: options.env, timeoutMs });

  return {
    kind: "local",
    host: runner.host,
    preflight: (request) => preflightLocally(request, { ...options, runner, loadGpus }),
    loadGpus,
    send: null,
    ask: null,

    async prepare(job) {
      prepareFolder(job, chooseSupervisorShell(job.supervisor.gpuCount, options.env));
    },

    async launch(job, env) {
      const token = makeToken();
      const { jobFolder, gpuCount } = job.supervisor;
      const supervisorShell = chooseSupervisorShell(gpuCount, options.env);
      const text = makeStartScript({
        jobFolder,
        attempt: job.attempt,
        session: job.session,
        supervisorShell,
        token,
      });
      const outcome = await runner.run([supervisorShell, "-s"], { stdin: text, env, timeoutMs: ANSWER_MS });
      const answer = parseStartAnswer(outcome.stdout, token);
      if (answer) return answer;
      const reason = outcome.stderr.trim() || "the supervisor did not put itself on record";
      throw new SortieError("launch_failed", { run: job.supervisor.runId, reason, jobFolder });
    },

    async watchStart(run, { watchMs, gpus }) {
      const token = makeToken();
      const text = makeWatchStartScript(run, { watchMs, token });
      const outcome = await runScript(text, watchMs + ANSWER_MS);
      const answer = parseObserveAnswer(outcome.stdout, token);
      return { answer, gpus: gpus ? await loadGpus({ python: null }) : null };
    },

    async observe(runs, { timeoutMs = ANSWER_MS } = {}) {
      const token = makeToken();
      const outcome = await runScript(makeObserveScript(runs, token), timeoutMs);
      return parseObserveAnswer(outcome.stdout, token);
    },

    openFile: makeFileLog,
    readRanges: async (wishes) => readRangesHere(wishes),
    listMade: listMadeHere,
    fetch: null,

    async close(run) {
      return closeFolder(run);
    },

    async tidy(run) {
      removeFile(nameJobFiles(run.jobFolder).env);
      removeHalfDone(run);
    },

    async removeFolder(run) {
      rmSync(run.jobFolder, { recursive: true, force: true });
    },

    async stop(run, { graceS, by }) {
      const token = makeToken();
      const { id, jobFolder, attempt } = run;
      const text = makeStopScript({ runId: id, jobFolder, attempt, graceS, by, token });
      const timeoutMs = graceS * 1000 + STOP_MARGIN_MS;
      const outcome = await runScript(text, timeoutMs);
      const answer = parseStopAnswer(outcome.stdout, token);
      if (answer) return answer;
      const late = `it was not done after ${formatDuration(timeoutMs / 1000)}`;
      const reason = outcome.timedOut ? late : outcome.stderr.trim() || "its script did not come to its end";
      throw new SortieError("stop_unfinished", { run: id, reason });
    },
  };
}

function prepareFolder(job: Job, shell: ShellName): void {
  const jobShell = shell === "bash" ? "bash" : job.supervisor.jobShell;
  const files = nameJobFiles(job.supervisor.jobFolder);
  const text = makeEnvFile(job.variables);
  try {
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    if (text) writePrivately(files.env, text);
    writePrivately(files.jobScript, job.jobScript);
    writePrivately(files.runScript, makeRunScript({ ...job.supervisor, jobShell }, shell, leaseFunctions));
    writePrivately(files.meta, `${JSON.stringify(job.meta, null, 2)}\n`);
  } catch (fault) {
    throw new SortieError("home_unwritable", { path: files.folder, reason: describeFault(fault) }, fault);
  }
}

/** What supervisors that were killed had begun to write, and the pipes of their logs. */
function removeHalfDone(run: JobHandle): void {
  for (let attempt = 1; attempt <= run.attempt; attempt += 1) {
    const folder = dirname(nameJobFiles(run.jobFolder, attempt).pid);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (/^(exit\.\d+\.tmp|pid\.(\d+|new)|taken\.new|log\.pipe)$/.test(name)) removeFile(join(folder, name));
    }
  }
}

/** Whole or not at all: in a second try a supervisor of the first may be reading the file. */
function writePrivately(path: string, text: string): void {
  writeFileAtomic(path, text, { mode: 0o600, durable: false });
}

/** `pid` is created exclusively, as the supervisor creates it: one of the two comes second and does nothing. */
function closeFolder(run: JobHandle): boolean {
  const files = nameJobFiles(run.jobFolder, run.attempt);
  try {
    mkdirSync(dirname(files.pid), { recursive: true, mode: 0o700 });
    if (!makeFileOnce(files.pid, "closed=yes\n", { mode: 0o600, durable: false })) return false;
    removeFile(files.env);
    return true;
  } catch (fault) {
    throw new SortieError("home_unwritable", { path: files.pid, reason: describeFault(fault) }, fault);
  }
}
