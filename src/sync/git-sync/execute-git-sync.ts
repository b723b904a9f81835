import { SortieError } from "../../base/error.ts";
import type { Runner } from "../../process/runner.ts";
import { findGitFault, type Git, makeGit } from "../git-tool.ts";
import { askRemote } from "./ask-remote.ts";
import { loadHomeBranch } from "./home-branch.ts";
import { makeCommit } from "./make-commit.ts";
import { makePathspec } from "./make-pathspec.ts";
import { makePersonGit } from "./person-git.ts";
import { findProjectRepository, type GitSyncPlan } from "./plan-git-sync.ts";
import { pushCommit } from "./push-commit.ts";

export interface GitSyncOptions {
  /** The person's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Called before each step that leaves something behind. */
  readonly beforeStep?: (step: "commit" | "push") => void | Promise<void>;
}

export interface GitSynced {
  /** What the server must end on. */
  readonly commit: string;
  /** What this call did; neither, where an earlier one had done it. */
  readonly isCommitMade: boolean;
  readonly isPushed: boolean;
}

/**
 * Does what the plan says, and nothing else: once for all servers. Where the commit is made and pushed already, it does
 * nothing. Otherwise branch, remote and files must be as planned, to the same tree, or nothing is touched.
 * @throws SortieError `git_sync_stale`, `git_commit_refused`, `git_commit_changed`, `git_push_rejected`, `git_remote_silent`
 */
export async function executeGitSync(
  runner: Runner,
  plan: GitSyncPlan,
  { env, signal, beforeStep }: GitSyncOptions,
): Promise<GitSynced> {
  const git = makeGit(runner, env);
  const person = makePersonGit(runner, { env, signal });
  const repository = await findProjectRepository(git, plan.root);
  const home = await loadHomeBranch(git, repository);
  checkSame("the branch", plan.branch.branch, home.branch);
  checkSame("its remote", describeRemote(plan), describeRemote({ branch: home }));

  const made = await findMadeCommit(git, plan, repository.commit);
  const remoteCommit = await askRemote(person, plan.root, home);
  if (made !== null && made === remoteCommit) return { commit: made, isCommitMade: false, isPushed: false };
  checkSame(`the commit of ${home.remote}/${home.remoteBranch}`, plan.remoteCommit, remoteCommit);
  if (made === null) checkSame("the last commit", plan.head, repository.commit);
  if (plan.commit === null) await checkClean(git, plan);

  if (made === null) await beforeStep?.("commit");
  const commit =
    made ?? (await makeCommit({ makeGit: () => makeGit(runner, env), person }, plan, repository));
  await beforeStep?.("push");
  await pushCommit(person, plan, { commit, isCommitMade: plan.commit !== null });
  return { commit, isCommitMade: made === null, isPushed: true };
}

function checkSame(what: string, planned: string | null, now: string | null) {
  if (planned === now) return;
  const [from, to] = [planned ?? "none", now ?? "none"].map((text) =>
    /^[0-9a-f]{40,}$/.test(text) ? text.slice(0, 10) : text,
  );
  throw new SortieError("git_sync_stale", { changes: `${what} was ${from} and is ${to}` });
}

function describeRemote({ branch: { remote, remoteBranch, url, pushUrls } }: Pick<GitSyncPlan, "branch">) {
  return `${remote}/${remoteBranch} (${[...new Set([url, ...pushUrls])].join(", ")})`;
}

/**
 * The commit that the plan asks for, where it is there already: the last one where none was to be made, or one with the
 * planned tree on top of the planned commit. A hook may have added to its message.
 */
async function findMadeCommit(git: Git, plan: GitSyncPlan, head: string | null): Promise<string | null> {
  if (plan.commit === null) return head === plan.head ? head : null;
  if (head === null || head === plan.head) return null;
  const printed = await git.read(["cat-file", "commit", head], { cwd: plan.root });
  const [header = "", ...message] = printed.split("\n\n");
  const parents = [...header.matchAll(/^parent (\S+)$/gm)].map(([, parent]) => parent);
  const isPlanned =
    header.startsWith(`tree ${plan.tree}\n`) &&
    parents.join() === (plan.head ?? "") &&
    message.join("\n\n").startsWith(plan.commit.message);
  return isPlanned ? head : null;
}

/** Where no commit is planned, the server would get other files than lie here now, but for those that the plan leaves out. */
async function checkClean(git: Git, { root, leftOut }: GitSyncPlan) {
  const form = ["--porcelain", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"];
  const outcome = await git.ask(["status", ...form, ...makePathspec(leftOut)], { cwd: root });
  const reason = findGitFault(outcome);
  if (reason !== null) throw new SortieError("git_failed", { command: "status", reason, folder: root });
  const count = outcome.stdout.split("\n").filter(Boolean).length;
  checkSame("the number of changed files", "0", String(count));
}
