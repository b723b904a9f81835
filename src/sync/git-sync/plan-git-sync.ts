import { realpathSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { SortieError } from "../../base/error.ts";
import type { Runner } from "../../process/runner.ts";
import { makeTempFolder } from "../../process/temp-folder.ts";
import { findRepository, isIgnoredFolder, type Repository } from "../git-repository.ts";
import { loadStatus } from "../git-status.ts";
import { type Git, makeGit, makeObjectPlaces } from "../git-tool.ts";
import type { LeftOutFile } from "../left-out.ts";
import { recordTree, withIndexCopy } from "../record-tree.ts";
import { placeRewrite, type Rewrite } from "../rewrite.ts";
import { askRemote } from "./ask-remote.ts";
import { checkChanges } from "./check-changes.ts";
import { checkSubmodules } from "./check-submodules.ts";
import { checkUnpushed } from "./check-unpushed.ts";
import { type HomeBranch, loadHomeBranch } from "./home-branch.ts";
import { loadIdentity } from "./load-identity.ts";
import { makePersonGit } from "./person-git.ts";
import { listStagedFiles, type StagedFile } from "./staged-files.ts";
import { listUnpushed, type UnpushedCommits } from "./unpushed-commits.ts";

/** The message of the user's own workflow. */
const MESSAGE = "sync: experiment deployment";

/** What `code_sync: git` will do at home, in data that a plan can keep: what to commit, and what to push where. */
export interface GitSyncPlan {
  /** The top folder of the repository, and the project's folder below it; "" for the top folder itself. */
  readonly root: string;
  readonly prefix: string;
  readonly branch: HomeBranch;
  /** The commit of the branch at its remote when the plan was made; null: the push makes the branch. */
  readonly remoteCommit: string | null;
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null;
  /** Git's id of all files as the server will have them. */
  readonly tree: string;
  /** null: nothing has changed, the last commit is what the server gets. */
  readonly commit: { readonly message: string; readonly author: string } | null;
  /** All that the commit changes. */
  readonly files: readonly StagedFile[];
  /** Changed and new files with a W&B API key: they are not committed, and stay as they are here and in the index. */
  readonly leftOut: readonly LeftOutFile[];
  /** Commits made before that the push brings along. */
  readonly unpushed: UnpushedCommits;
  readonly isPushNeeded: boolean;
  /** Their paths; the server updates them too. */
  readonly submodules: readonly string[];
}

export interface GitSyncScope {
  /** The project's folder. */
  readonly folder: string;
  /** The person's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files that hold secrets whatever they are called: those with a `wandb_api_key`, files of variables. */
  readonly secrets?: readonly string[];
  /** One of the files as it will be before the commit is made. */
  readonly rewrite?: Rewrite | null;
  readonly signal?: AbortSignal;
}

/**
 * Plans what `git add -A`, a commit and a push will do, without files that hold a W&B API key, and refuses where they would
 * fail or do harm. Reads only: the repository, its index included, is as before, and the remote is only asked where its
 * branch stands.
 * @throws SortieError one of the `git_…` rows
 */
export async function planGitSync(runner: Runner, scope: GitSyncScope): Promise<GitSyncPlan> {
  const made = makeTempFolder("sortie-git-");
  if ("notMade" in made) throw new SortieError("internal", { reason: made.notMade });
  try {
    const folder = realpathSync(scope.folder);
    const git = makeGit(runner, scope.env, made.path);
    const repository = await findProjectRepository(git, folder);
    const home = await loadHomeBranch(git, repository);
    const { secrets = [], rewrite = null } = scope;
    const places = { git, repository, objectsDir: made.path, secrets, rewrite };
    const work = await readWork(places);

    const person = makePersonGit(runner, scope);
    const { root, commit: head } = repository;
    const isCommitNeeded = work.tree !== repository.headTree;
    if (head === null && work.files.length === 0) refuse(folder, "it holds nothing that could be committed");
    const commit = isCommitNeeded ? { message: MESSAGE, author: await loadIdentity(person, root) } : null;
    const remoteCommit = await askRemote(person, root, home);
    const unpushed = await listUnpushed(git, { root, head, home, remoteCommit });
    await checkUnpushed(git, unpushed.files, { root, secrets });
    return {
      ...{ root, prefix: relative(root, folder), branch: home, remoteCommit, head, ...work, commit },
      unpushed: unpushed.commits,
      isPushNeeded: isCommitNeeded || remoteCommit !== head,
    };
  } finally {
    rmSync(made.path, { recursive: true, force: true });
  }
}

function refuse(folder: string, reason: string): never {
  throw new SortieError("git_sync_impossible", { folder, reason });
}

/** @throws SortieError `git_sync_impossible` */
export async function findProjectRepository(git: Git, folder: string): Promise<Repository> {
  const repository = await findRepository(git, folder);
  if ("problem" in repository) return refuse(folder, repository.problem);
  if ("outside" in repository) {
    const isGitThere = !(await git.ask(["version"], { cwd: folder })).notStarted;
    return refuse(folder, isGitThere ? "it is in no git repository" : "git is not installed on this machine");
  }
  if (await isIgnoredFolder(git, repository, folder)) refuse(folder, "its repository ignores it");
  return repository;
}

interface WorkPlaces {
  readonly git: Git;
  readonly repository: Repository;
  readonly objectsDir: string;
  readonly secrets: readonly string[];
  readonly rewrite: Rewrite | null;
}

/** What the planned `git add` would bring into the index: done in a copy of it, with objects in a folder of ours. */
function readWork({ git, repository, objectsDir, secrets, rewrite: wanted }: WorkPlaces) {
  const { root, headTree, objects } = repository;
  return withIndexCopy(repository, objectsDir, async (indexFile) => {
    const { changes } = await loadStatus(git, root, indexFile);
    const keyHolders = await checkChanges(git, changes, { root, secrets });
    const left = new Set(keyHolders.map(({ change }) => change));
    const leftOut = keyHolders.map(({ change, stats }) => ({
      ...{ path: change.path.toString(), bytes: stats.size, reason: "secret" as const },
    }));
    const inner = changes.filter(({ repository, gone }) => repository && !gone);
    const selection = {
      add: changes.filter((change) => !change.gone && !inner.includes(change) && !left.has(change)),
      remove: changes.filter(({ gone }) => gone),
      repositories: inner,
      leftOut,
    };
    const rewrite = await placeRewrite(git, repository, { rewrite: wanted, selection, indexFile });
    const tree = await recordTree(git, repository, { selection, indexFile, objectsDir, rewrite });
    const submodules = await checkSubmodules(git, { root, indexFile, changes });
    const env = { GIT_INDEX_FILE: indexFile, ...makeObjectPlaces(objectsDir, objects) };
    const files = tree === headTree ? [] : await listStagedFiles(git, headTree, { cwd: root, env });
    return { tree, files, leftOut, submodules };
  });
}
