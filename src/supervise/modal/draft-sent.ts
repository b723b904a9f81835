import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunRequest } from "../../runs/run-record.ts";
import { type SendSummary, summarizeSend } from "../../sync/send/describe-send.ts";
import { planSend } from "../../sync/send/plan-send.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";

/** What of the code folder goes into a container. */
export interface SentCode {
  readonly summary: SendSummary;
  /** All else that lies in it, as patterns of a `.dockerignore`. */
  readonly leftOut: readonly string[];
}

/** By the rules for any host: code and configuration go, data, secrets, checkpoints and results stay. @throws sync_too_much and its like */
export async function draftSent(
  { runner, env }: Pick<Desk, "runner" | "env">,
  { cwd, results, copies = [] }: Pick<RunRequest, "cwd" | "results" | "copies">,
  { settings }: ChosenTarget,
): Promise<SentCode> {
  const send = await planSend(runner, {
    ...{ source: cwd, results: results.filter(isInside), copies, env },
    ...{ include: settings.syncInclude, exclude: settings.syncExclude },
  });
  const sent = send.files.map(({ path }) => path.toString());
  return { summary: summarizeSend(send), leftOut: listOthers(cwd, sent).map(escapePattern) };
}

/** Whether a pattern of results counts from the run's folder. */
export function isInside(pattern: string): boolean {
  return !/^[~/]/.test(pattern);
}

/** A folder of which nothing is sent stands for all in it. */
function listOthers(top: string, sent: readonly string[]): string[] {
  const files = new Set(sent);
  const folders = new Set(sent.flatMap(listFolders));
  const others: string[] = [];
  const look = (folder: string) => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && folders.has(path)) look(path);
      else if (!files.has(path) && path !== ".git") others.push(path);
    }
  };
  look("");
  return others.sort();
}

function listFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...listFolders(folder)];
}

/** What a pattern would take for wildcards, or at its begin for a word of its own. */
function escapePattern(path: string): string {
  return path.replace(/[*?[\]\\]|^[!#]/g, "\\$&");
}
