import { posix } from "node:path";

const SAMPLES = "samples.csv";

/** Every file of a job folder, by name. Paths are the host's own, so always POSIX. */
export interface JobFiles {
  readonly folder: string;
  readonly jobScript: string;
  readonly runScript: string;
  readonly meta: string;
  readonly env: string;
  /** A copy of the project's code, where the run starts in one. */
  readonly code: string;
  readonly pid: string;
  readonly log: string;
  readonly samples: string;
  readonly stop: string;
  readonly exit: string;
}

/** The files of one attempt; from the second on, what an attempt leaves lies in `attempts/N/`. */
export function nameJobFiles(folder: string, attempt = 1): JobFiles {
  const own = attempt > 1 ? posix.join(folder, "attempts", String(attempt)) : folder;
  return {
    folder,
    jobScript: posix.join(folder, "job.sh"),
    runScript: posix.join(folder, "run.sh"),
    meta: posix.join(folder, "meta.json"),
    env: posix.join(folder, "env"),
    code: posix.join(folder, "code"),
    pid: posix.join(own, "pid"),
    log: posix.join(own, "log"),
    samples: posix.join(own, SAMPLES),
    stop: posix.join(own, "stop"),
    exit: posix.join(own, "exit"),
  };
}

/** The samples of the attempt whose log that is. */
export function findSamplesBeside(log: string): string {
  return posix.join(posix.dirname(log), SAMPLES);
}
