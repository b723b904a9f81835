import type { RunRequest } from "../../runs/run-record.ts";
import { type GitSyncPlan, planGitSync } from "../../sync/git-sync/plan-git-sync.ts";
import type { Rewrite } from "../../sync/rewrite.ts";
import { planSend, type SendPlan } from "../../sync/send/plan-send.ts";
import type { Desk } from "../desk.ts";

/** What would be sent, or committed and pushed, as it lies at home now. */
export type SyncDraft =
  | { readonly kind: "rsync"; readonly send: SendPlan }
  | { readonly kind: "git"; readonly home: GitSyncPlan };

/** How the code of a project folder is to get to its host. */
export interface SyncWish {
  readonly kind: "rsync" | "git";
  readonly source: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** One of the files as it will be. */
  readonly rewrite?: Rewrite | null;
}

/** Looks at the code of a run, and changes nothing. @throws what cannot be sent, or not by git */
export async function draftSync(
  desk: Pick<Desk, "runner" | "env">,
  request: Pick<RunRequest, "cwd" | "results" | "envFiles" | "copies">,
  { kind, source, include = [], exclude = [], rewrite = null }: SyncWish,
): Promise<SyncDraft> {
  const { runner, env } = desk;
  const secrets = request.envFiles;
  if (kind === "git")
    return { kind, home: await planGitSync(runner, { folder: source, env, secrets, rewrite }) };
  const send = await planSend(runner, {
    ...{ source, folder: request.cwd, results: request.results, env },
    ...{ include, exclude, rewrite, copies: request.copies ?? [] },
  });
  return { kind, send };
}
