import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import checkoutFunctions from "./checkout.sh";
import type { ServerStep } from "./judge-server.ts";
import type { GitSyncPlan } from "./plan-git-sync.ts";
import pullText from "./pull.sh";

export interface PullOrder {
  /** What `executeGitSync` gave. */
  readonly commit: string;
  readonly step: ServerStep;
  /** The code folder on the host, absolute. */
  readonly codeDir: string;
  /** A random word, new for each script; `readPull` gets the same. */
  readonly token: string;
}

/**
 * A script for `sh -s` on the host that brings its code folder to the commit, or says why not and leaves the files there
 * as they were. Where the folder is at that commit already it fetches nothing.
 */
export function makePullScript({ branch, submodules }: GitSyncPlan, order: PullOrder): string {
  const settings = makeSettings({
    sortie_token: order.token,
    git_folder: order.codeDir,
    git_action: order.step.action === "clone" ? "clone" : "pull",
    git_url: branch.url,
    git_remote: order.step.remote ?? "origin",
    git_branch: branch.remoteBranch,
    git_commit: order.commit,
    git_submodules: submodules.length > 0 ? "yes" : "",
  });
  return `${settings}${checkoutFunctions}\n${pullText}`;
}

export interface Pulled {
  readonly commit: string;
  /** The commit that was there; null where there was none. */
  readonly before: string | null;
}

const ASK_AGAIN = "Look at it there (`git status`), then make a new plan.";

const ADVICE: Readonly<Record<string, string>> = {
  fetch: "Try `git fetch` there by hand: the host needs a key or credential of its own for the remote.",
  clone: "Try `git clone` there by hand: the host needs a key or credential of its own for the remote.",
  no_commit: "Look there with `git remote -v` whether it pulls from where was pushed to.",
  in_the_way: "Move these files aside there, then run the command again.",
  submodules: "Try `git submodule update --init --recursive` there by hand.",
};

/**
 * Reads what the script printed; null when it gave no answer.
 * @throws SortieError `git_pull_failed` when the folder is not at the commit
 */
export function readPull(
  stdout: string,
  { host, codeDir, commit, token }: Omit<PullOrder, "step"> & { readonly host: string },
): Pulled | null {
  const answer = readAnswer(stdout, token);
  if (answer === null) return null;
  const lines = new Map(answer);
  const problem = lines.get("git_problem");
  if (problem === undefined && lines.get("git_done") === commit) {
    return { commit, before: lines.get("git_before") || null };
  }
  const words = (lines.get("git_reason") ?? "").replace(/(\w:\/\/)[^\s'"]*@/g, "$1").replace(/[;. ]+$/, "");
  throw new SortieError("git_pull_failed", {
    ...{ host, folder: codeDir, commit: commit.slice(0, 10), problem },
    reason: makePrintable(words) || "it did not say why",
    advice: ADVICE[problem ?? ""] ?? ASK_AGAIN,
  });
}
