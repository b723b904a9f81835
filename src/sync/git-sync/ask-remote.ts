import { SortieError } from "../../base/error.ts";
import type { HomeBranch } from "./home-branch.ts";
import { explainRefusal, type PersonGit } from "./person-git.ts";

const TIME_LIMIT_MS = 30_000;

/**
 * The commit of the branch at its remote now; null when the branch is not there yet. Changes nothing on either side.
 * @throws SortieError `git_remote_silent`
 */
export async function askRemote(
  git: PersonGit,
  root: string,
  { remote, remoteBranch, url }: HomeBranch,
): Promise<string | null> {
  const ref = `refs/heads/${remoteBranch}`;
  const outcome = await git.reach(["ls-remote", remote, ref], { cwd: root, timeoutMs: TIME_LIMIT_MS });
  if (outcome.exitCode !== 0) {
    throw new SortieError("git_remote_silent", { remote, url, reason: explainRefusal(outcome) });
  }
  // The pattern also fits `refs/x/refs/heads/main`.
  const lines = outcome.stdout.split("\n").map((line) => line.split("\t"));
  return lines.find(([, name]) => name === ref)?.[0] ?? null;
}
