import { join } from "node:path";
import type { RunRecord } from "../../supervise/find-runs.ts";
import { describeHost } from "../../supervise/host-name.ts";

/** A path of the run's host: `my-gpu-server:/home/ann/x` where that is another machine. */
export function formatPlace({ host, remote }: Pick<RunRecord, "host" | "remote">, path: string): string {
  return remote ? `${describeHost(host)}:${path}` : path;
}

/** Where the log can be read from here: at home once it was brought there. */
export function formatLogPlace(run: RunRecord): string {
  const { log, remote, results, resultsFolder } = run;
  if (remote && results !== null && resultsFolder !== null) return join(resultsFolder, "log");
  return formatPlace(run, log);
}
