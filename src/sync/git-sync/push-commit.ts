import { SortieError } from "../../base/error.ts";
import { explainRefusal, type PersonGit } from "./person-git.ts";
import type { GitSyncPlan } from "./plan-git-sync.ts";

/** For the first push of a large history over a slow line. */
const TIME_LIMIT_MS = 30 * 60_000;

export interface Pushed {
  readonly commit: string;
  /** It was made for this push. */
  readonly isCommitMade: boolean;
}

/** Pushes one commit to one branch, never by force; tags and submodules stay. @throws SortieError `git_push_rejected` */
export async function pushCommit(
  git: PersonGit,
  { root, branch: { branch, remote, remoteBranch } }: GitSyncPlan,
  { commit, isCommitMade }: Pushed,
): Promise<void> {
  const exactly = ["--no-force", "--no-follow-tags", "--recurse-submodules=no", "--quiet"];
  const refs = [remote, `${commit}:refs/heads/${remoteBranch}`];
  const outcome = await git.reach(["push", ...exactly, ...refs], { cwd: root, timeoutMs: TIME_LIMIT_MS });
  if (outcome.exitCode === 0) return;
  const left = isCommitMade
    ? `The commit ${commit.slice(0, 10)} stays on ${branch} here (\`git reset --soft HEAD~1\` takes it back).`
    : "Nothing was changed here.";
  throw new SortieError("git_push_rejected", {
    ...{ remote, left, commit },
    branch: remoteBranch,
    reason: explainRefusal(outcome),
  });
}
