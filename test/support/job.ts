import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nameJobFiles } from "../../src/runs/job-folder.ts";
import { makeJobScript } from "../../src/runs/job-script.ts";
import { judgeRun, type Verdict } from "../../src/runs/judge-run.ts";
import { makeLocalTarget } from "../../src/targets/local/local-target.ts";
import type { Job, Target } from "../../src/targets/target.ts";
import { waitFor } from "./wait-for.ts";

export interface TestJob {
  readonly target: Target;
  readonly job: Job;
  readonly files: ReturnType<typeof nameJobFiles>;
  start(env?: Readonly<Record<string, string | undefined>>): ReturnType<Target["launch"]>;
  judge(): Promise<Verdict>;
  waitForEnd(timeoutMs?: number): Promise<Verdict>;
  readLog(): string;
  readPid(key: string): string;
}

export interface TestJobOptions {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly session?: string | null;
  readonly supervisor?: Partial<Job["supervisor"]>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Absent: this machine, with that environment. */
  readonly target?: Target | undefined;
}

let counter = 0;

/** A job on a target, in a folder of the test there: the real scripts and processes, without a store. */
export function makeTestJob(folder: string, options: TestJobOptions): TestJob {
  const jobDir = join(folder, "jobs");
  counter += 1;
  const runId = `rtest${process.pid}x${counter}`;
  const jobFolder = join(jobDir, runId);
  const cwd = options.cwd ?? folder;
  const env = { ...process.env, SORTIE_LEASE_DIR: join(folder, "leases"), ...options.env };
  const target = options.target ?? makeLocalTarget({ jobDir, freeMemoryMiB: 500, env });
  const job: Job = {
    attempt: 1,
    session: options.session ?? null,
    variables: options.variables ?? {},
    sent: null,
    jobScript: makeJobScript({ activation: [], cwd, command: options.command }),
    meta: { id: runId },
    supervisor: {
      runId,
      runName: runId,
      jobFolder,
      resultsFolder: join(cwd, "results"),
      timeLimitS: null,
      graceS: 3,
      sampleS: 10,
      lastAttempt: 1,
      gpuCount: 0,
      gpuCandidates: [],
      ifTaken: "end",
      environment: "inherited",
      jobShell: "sh",
      ...options.supervisor,
    },
  };
  const files = nameJobFiles(jobFolder);
  const handle = { id: runId, jobFolder, attempt: 1 };
  const judge = async () => {
    const answer = await target.observe([handle]);
    const seen = answer?.runs.get(runId);
    if (!answer || !seen) throw new Error("the host gave no answer");
    return judgeRun(seen, answer.facts, {
      launcherAlive: true,
      startIntentAt: null,
      hasStarted: false,
      nowMs: Date.now(),
      host: answer.facts.host,
    });
  };
  return {
    target,
    job,
    files,
    async start(more = {}) {
      await target.prepare(job);
      return target.launch(job, { ...env, ...more });
    },
    judge,
    waitForEnd: (timeoutMs = 15_000) =>
      waitFor(
        async () => {
          const verdict = await judge();
          return verdict.state === "running" || verdict.state === "preparing" ? null : verdict;
        },
        { timeoutMs, intervalMs: 50, what: "the end of the run" },
      ),
    readLog: () => readFileSync(files.log, "utf8"),
    readPid: (key) => readFileSync(files.pid, "utf8").match(new RegExp(`^${key}=(.*)$`, "m"))?.[1] ?? "",
  };
}
