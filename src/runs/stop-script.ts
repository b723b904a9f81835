import { makeSettings, readAnswer } from "../base/script.ts";
import processFunctions from "./scripts/process.sh";
import stop from "./scripts/stop.sh";

export interface StopSettings {
  readonly runId: string;
  readonly jobFolder: string;
  readonly attempt: number;
  readonly graceS: number;
  /** Who asks, for the record. */
  readonly by: string;
  readonly token: string;
}

/** The script that stops a run on its host; it takes up to the grace time and some seconds. */
export function makeStopScript(settings: StopSettings): string {
  const head = makeSettings({
    sortie_run_id: settings.runId,
    sortie_job_dir: settings.jobFolder,
    sortie_attempt: String(settings.attempt),
    sortie_grace_s: String(Math.ceil(settings.graceS)),
    sortie_by: settings.by,
    sortie_token: settings.token,
  });
  return [head, processFunctions, stop].join("\n");
}

/** Numbers of processes that outlived KILL; null when the script did not come to its end. */
export function parseStopAnswer(stdout: string, token: string): { survivors: number[] } | null {
  const lines = readAnswer(stdout, token);
  if (!lines) return null;
  const survivors = Object.fromEntries(lines)["survivors"] ?? "";
  return { survivors: survivors.split(" ").filter(Boolean).map(Number) };
}
