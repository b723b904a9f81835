import { quoteCommand } from "../base/quote.ts";
import { makeSettings, readAnswer } from "../base/script.ts";
import text from "./scripts/list-jobs.sh";

/** Job folders on a host, by their names. */
export interface JobList {
  /** Where they lie; absolute. */
  readonly jobDir: string;
  readonly names: readonly string[];
}

/** Below a setting of sortie_job_dir: asks which job folders there are. */
export function makeListJobsScript(token: string): string {
  return [makeSettings({ sortie_token: token }), text, "list_jobs"].join("\n");
}

/** null when the answer is not whole. */
export function parseJobList(stdout: string, token: string): JobList | null {
  const lines = readAnswer(stdout, token);
  if (!lines) return null;
  const jobDir = lines.find(([key]) => key === "job_dir")?.[1] ?? "";
  return { jobDir, names: lines.flatMap(([key, value]) => (key === "job" ? [value] : [])) };
}

/** The same for what the `meta.json` of some of them say. */
export function makePrintMetasScript(names: readonly string[], token: string): string {
  return [makeSettings({ sortie_token: token }), text, quoteCommand(["print_metas", ...names])].join("\n");
}

/** The text of each, by name; empty where there is none. null when the answer is not whole. */
export function parseMetas(stdout: string, token: string): ReadonlyMap<string, string> | null {
  const lines = readAnswer(stdout, token);
  if (!lines) return null;
  const metas = new Map<string, string>();
  let name = "";
  for (const [key, value] of lines) {
    if (key === "run") name = value;
    metas.set(name, (metas.get(name) ?? "") + (key === "meta" ? `${value}\n` : ""));
  }
  return metas;
}
