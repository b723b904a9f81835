import { describeFault } from "../base/error.ts";
import { findRepository, type Repository } from "./git-repository.ts";
import { type Change, loadStatus } from "./git-status.ts";
import type { Git } from "./git-tool.ts";
import { chooseListed, type LeftOutFile } from "./left-out.ts";
import { recordTree, withIndexCopy } from "./record-tree.ts";
import { placeRewrite, type Rewrite } from "./rewrite.ts";
import { selectFiles } from "./select-files.ts";

/** Code in a git repository, as it really lay there, committed or not. */
export interface GitProvenance {
  readonly kind: "git";
  /** The top folder of the work tree. */
  readonly root: string;
  /** The commit that was checked out; null before the first one. */
  readonly commit: string | null;
  /** null when no branch was checked out. */
  readonly branch: string | null;
  /** Git's id of the tree of all files, without those left out. */
  readonly tree: string;
  /** How many files and inner repositories are not as that commit has them. */
  readonly changes: number;
  /** Those that people should know of first, then the largest; 200 at most. */
  readonly leftOut: readonly LeftOutFile[];
  readonly leftOutTotal: Total;
  readonly repositories: readonly InnerRepository[];
}

interface Total {
  readonly files: number;
  readonly bytes: number;
}

/** A submodule, or another repository that lies inside, which is not as the outer commit has it. */
export interface InnerRepository {
  readonly path: string;
  readonly commit: string | null;
  /** The tree of its files, in the same object folder; null where they are not recorded, and `problem` says why. */
  readonly tree: string | null;
  readonly problem: string | null;
}

export interface RecordScope {
  readonly folder: string;
  /** What the run writes: globs from its folder, or absolute. */
  readonly outputs: readonly string[];
  /** Files that hold secrets whatever they are called, by their real paths. */
  readonly secrets?: readonly string[];
  /** Where what the commit does not hold is kept. */
  readonly objectsDir: string;
  /** One of the files as it will be; absent: all are recorded as they are. */
  readonly rewrite?: Rewrite | null;
}

const MAX_INNER_REPOSITORIES = 50;

/** Records the repository and the changed repositories inside it. @throws git_failed */
export function recordGit(git: Git, repository: Repository, scope: RecordScope): Promise<GitProvenance> {
  const { objectsDir, rewrite: wanted = null } = scope;
  const { root, commit } = repository;
  return withIndexCopy(repository, objectsDir, async (indexFile) => {
    const { branch, changes } = await loadStatus(git, root, indexFile);
    const selection = selectFiles(changes, { ...scope, root });
    const inner = await recordInnerRepositories(git, root, selection.repositories, scope);
    // Git can point at an inner repository by its commit alone.
    const pointed = selection.repositories.filter((_, index) => inner[index]?.commit);
    const rewrite = await placeRewrite(git, repository, { rewrite: wanted, selection, indexFile });
    const tree = await recordTree(git, repository, {
      selection: { ...selection, repositories: pointed },
      indexFile,
      objectsDir,
      rewrite,
    });
    return {
      kind: "git",
      root,
      commit,
      branch,
      tree,
      changes:
        selection.add.length + selection.remove.length + inner.length + (rewrite?.isClean === true ? 1 : 0),
      leftOut: chooseListed([...selection.leftOut, ...inner.flatMap(({ leftOut }) => leftOut)]),
      leftOutTotal: addTotals([makeTotal(selection.leftOut), ...inner.map(({ total }) => total)]),
      repositories: inner.flatMap(({ found }) => found),
    };
  });
}

interface InnerRecord {
  readonly commit: string | null;
  readonly found: readonly InnerRepository[];
  readonly leftOut: readonly LeftOutFile[];
  readonly total: Total;
}

async function recordInnerRepositories(
  git: Git,
  root: string,
  changes: readonly Change[],
  scope: RecordScope,
): Promise<InnerRecord[]> {
  const records: InnerRecord[] = [];
  for (const change of changes) {
    const path = change.path.toString();
    records.push(
      records.length < MAX_INNER_REPOSITORIES
        ? await recordInner(git, root, path, scope)
        : makeGap(path, `more than ${MAX_INNER_REPOSITORIES} repositories lie inside`),
    );
  }
  return records;
}

async function recordInner(git: Git, root: string, path: string, scope: RecordScope): Promise<InnerRecord> {
  const repository = await findRepository(git, `${root}/${path}`);
  if ("problem" in repository) return makeGap(path, repository.problem);
  // An empty folder of a submodule belongs to the outer repository: recording that would never end.
  if ("outside" in repository || repository.root === root) return makeGap(path, "it is not a repository");
  try {
    const record = await recordGit(git, repository, scope);
    const { commit, tree } = record;
    const below = <Item extends { path: string }>(item: Item) => ({ ...item, path: `${path}/${item.path}` });
    return {
      commit,
      found: [{ path, commit, tree, problem: null }, ...record.repositories.map(below)],
      leftOut: record.leftOut.map(below),
      total: record.leftOutTotal,
    };
  } catch (fault) {
    return makeGap(path, describeFault(fault));
  }
}

function makeGap(path: string, problem: string): InnerRecord {
  return {
    commit: null,
    found: [{ path, commit: null, tree: null, problem }],
    leftOut: [],
    total: { files: 0, bytes: 0 },
  };
}

function makeTotal(files: readonly LeftOutFile[]): Total {
  return addTotals(files.map(({ bytes }) => ({ files: 1, bytes })));
}

function addTotals(totals: readonly Total[]): Total {
  return totals.reduce((sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }), {
    files: 0,
    bytes: 0,
  });
}
