import { makeToken } from "../../base/ids.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import processFunctions from "../../runs/scripts/process.sh";
import type { JobHandle } from "../target.ts";
import { askHost, type HostRunner } from "./ask-host.ts";
import { makeHostScript, makePathSettings } from "./host-script.ts";
import folder from "./scripts/folder.sh";

const ANSWER_MS = 60_000;

export interface FolderChange {
  readonly call: "close_folder" | "tidy_folder" | "remove_folder";
  /** The job folder must lie in it; null: anywhere. */
  readonly jobDir: string | null;
}

/** Does one thing to the job folder of a run that does not run, and answers what the script said of it. */
export async function changeFolder(
  runner: HostRunner,
  { id, jobFolder, attempt }: JobHandle,
  { call, jobDir }: FolderChange,
): Promise<Partial<Record<"closed" | "refused", string>>> {
  const token = makeToken();
  const script = makeHostScript([
    makeSettings({ sortie_token: token, sortie_run_id: id, sortie_attempt: String(attempt) }),
    makePathSettings({ sortie_job_folder: jobFolder, sortie_job_dir: jobDir ?? "" }),
    processFunctions,
    folder,
    ...['echo "begin=$sortie_token"', call, 'echo "end=$sortie_token"'],
  ]);
  const lines = await askHost(runner, {
    ...{ script, timeoutMs: ANSWER_MS },
    read: (stdout) => readAnswer(stdout, token),
  });
  return Object.fromEntries(lines);
}
