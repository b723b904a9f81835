import { makeSettings, readAnswer } from "../base/script.ts";
import processFunctions from "./scripts/process.sh";
import start from "./scripts/start.sh";

export interface StartSettings {
  readonly jobFolder: string;
  readonly attempt: number;
  /** The screen session's name; null: a plain session. */
  readonly session: string | null;
  readonly supervisorShell: "sh" | "bash";
  readonly token: string;
}

export interface StartAnswer {
  readonly how: "screen" | "session";
  /** Why screen was not used although it is there. */
  readonly screenFault: string | null;
  /** The supervisor's record; without `group` where it was too early for the command's own. */
  readonly pid: Readonly<Record<string, string>>;
  /** Another holds the GPUs, in its own words: the command was not started. null: it was. */
  readonly heldBy: string | null;
}

/** The script that starts an attempt's supervisor; it goes to `sh -s` by stdin. */
export function makeStartScript(settings: StartSettings): string {
  const head = makeSettings({
    sortie_job_dir: settings.jobFolder,
    sortie_attempt: String(settings.attempt),
    sortie_session: settings.session ?? "",
    sortie_supervisor_shell: settings.supervisorShell,
    sortie_token: settings.token,
  });
  return [head, processFunctions, start].join("\n");
}

/** null when the script did not come to its end. */
export function parseStartAnswer(stdout: string, token: string): StartAnswer | null {
  const lines = readAnswer(stdout, token);
  if (!lines) return null;
  const values = Object.fromEntries(lines);
  return {
    how: values["how"] === "screen" ? "screen" : "session",
    screenFault: values["screen_fault"] ?? null,
    pid: values,
    heldBy: values["held_by"] ?? null,
  };
}
