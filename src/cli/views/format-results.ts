import { formatBytes } from "../../base/bytes.ts";
import { makePrintable } from "../../base/printable.ts";
import type { RunRecord } from "../../supervise/find-runs.ts";

type Results = NonNullable<RunRecord["results"]>;

/** What `sortie collect` brought home, or copied `to` another place: a line a file, then where all of it is. */
export function formatCollection(run: RunRecord, to: string | undefined): string[] {
  const { results, resultsFolder, notes } = run;
  if (resultsFolder === null) return [`Nothing to bring home: ${run.name} never started.`];
  const lines = [
    ...(results ?? []).map(formatResult),
    ...notes.map((note) => `note: ${note}`),
    `${countFiles(results ?? [])} and the log in ${to ?? resultsFolder}`,
  ];
  return lines.map(makePrintable);
}

export function formatResult({ bytes, path, shared }: Results[number]): string {
  return `${formatBytes(bytes).padStart(9)}  ${path}${shared ? "  (shared with another run)" : ""}`;
}

export function countFiles(results: Results): string {
  return results.length === 1 ? "1 file" : `${results.length} files`;
}
