import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import type { Repository } from "../git-repository.ts";
import type { Git } from "../git-tool.ts";
import { namePaths } from "./check-changes.ts";
import { makePathspec } from "./make-pathspec.ts";
import { explainRefusal, type PersonGit } from "./person-git.ts";
import type { GitSyncPlan } from "./plan-git-sync.ts";
import { listStagedFiles, type StagedFile } from "./staged-files.ts";

/** A hook may run all of the project's tests. */
const TIME_LIMIT_MS = 15 * 60_000;

interface Gits {
  /** New for each look: a hook may take longer than all that one may ask. */
  readonly makeGit: () => Git;
  readonly person: PersonGit;
}

/**
 * Adds all files but those left out and commits them as the person would, hooks included, if that gives exactly the
 * planned tree. Else the branch and the index are put back as they were. @throws SortieError
 */
export async function makeCommit(gits: Gits, plan: GitSyncPlan, repository: Repository): Promise<string> {
  const before = readIndex(repository.index);
  let isDone = false;
  try {
    await addAll(gits, plan);
    const commit = await commitStaged(gits, plan);
    await checkCommit(gits.makeGit(), plan, commit);
    isDone = true;
    return commit;
  } finally {
    // Where the branch went on meanwhile, another command of git's did it, and the index is that one's.
    if (!isDone && (await findHead(gits.makeGit(), plan)) === plan.head) putIndexBack(repository, before);
  }
}

function readIndex(index: string): Buffer | null {
  try {
    return readFileSync(index);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null; // nothing was ever added
    throw new SortieError("git_commit_refused", { reason: describeFault(fault) }, fault);
  }
}

/** Writes it as git does: beside it, under the name that locks it, then renamed over it. */
function putIndexBack({ index, root }: Repository, before: Buffer | null) {
  const lock = `${index}.lock`;
  try {
    writeFileSync(lock, before ?? "", { flag: "wx", mode: statSync(index).mode });
    if (before !== null) return renameSync(lock, index);
    rmSync(index);
    rmSync(lock);
  } catch (fault) {
    throw new SortieError("git_locked", { folder: root, lock }, fault);
  }
}

async function addAll({ makeGit, person }: Gits, plan: GitSyncPlan) {
  const cwd = plan.root;
  const wanted = ["add", "-A", ...makePathspec(plan.leftOut)];
  const added = await person.run(wanted, { cwd, timeoutMs: TIME_LIMIT_MS });
  if (added.exitCode !== 0) throw new SortieError("git_commit_refused", { reason: explainRefusal(added) });
  const git = makeGit();
  const tree = (await git.read(["write-tree"], { cwd })).trim();
  if (tree === plan.tree) return;
  const files = await listStagedFiles(git, plan.head, { cwd });
  throw new SortieError("git_sync_stale", { changes: describeDifference(plan.files, files) });
}

/** Which files are not as planned. */
function describeDifference(planned: readonly StagedFile[], now: readonly StagedFile[]): string {
  const makeKey = ({ path, blob, status }: StagedFile) => `${status} ${blob} ${path}`;
  const [before, after] = [planned, now].map((files) => new Set(files.map(makeKey)));
  const different = [
    ...planned.filter((file) => !after?.has(makeKey(file))),
    ...now.filter((file) => !before?.has(makeKey(file))),
  ];
  const paths = [...new Set(different.map(({ path }) => path))];
  return paths.length === 0 ? "the mode of a file" : namePaths(paths);
}

async function commitStaged({ makeGit, person }: Gits, plan: GitSyncPlan): Promise<string> {
  const call = { cwd: plan.root, timeoutMs: TIME_LIMIT_MS };
  const message = plan.commit?.message ?? "";
  const outcome = await person.run(["commit", "--quiet", "-m", message], call);
  const commit = await findHead(makeGit(), plan);
  // A time limit or an abort may come when the commit has been made already: then it stands.
  if (commit === null || commit === plan.head) {
    throw new SortieError("git_commit_refused", { reason: explainRefusal(outcome) });
  }
  return commit;
}

async function findHead(git: Git, { root }: GitSyncPlan): Promise<string | null> {
  const outcome = await git.ask(["rev-parse", "--verify", "--quiet", "HEAD"], { cwd: root });
  return outcome.stdout.trim() || null;
}

/** A hook may have formatted files and added them again: that is no longer what the person confirmed. */
async function checkCommit(git: Git, plan: GitSyncPlan, commit: string) {
  const cwd = plan.root;
  const tree = (await git.read(["rev-parse", `${commit}^{tree}`], { cwd })).trim();
  if (tree === plan.tree) return;
  const form = ["-r", "--name-only", "-z", "--no-renames", plan.tree, tree];
  const paths = (await git.read(["diff-tree", ...form], { cwd })).split("\0").filter(Boolean);
  const ref = `refs/heads/${plan.branch.branch}`;
  const back = plan.head === null ? ["-d", ref, commit] : [ref, plan.head, commit];
  await git.read(["update-ref", "-m", "sortie: take back what a hook changed", ...back], { cwd });
  throw new SortieError("git_commit_changed", { changes: namePaths(paths) });
}
