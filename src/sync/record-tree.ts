import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "./git-repository.ts";
import type { Change } from "./git-status.ts";
import { type Git, makeObjectPlaces } from "./git-tool.ts";
import { type PlacedRewrite, rewriteInIndex } from "./rewrite.ts";
import type { Selection } from "./select-files.ts";

/**
 * Calls `use` with a copy of the repository's index, which git may change, and removes the copy. The copy's time is
 * rounded down to the second: git then looks again at every file that was changed in the second the index was written.
 */
export async function withIndexCopy<Result>(
  repository: Repository,
  objectsDir: string,
  use: (indexFile: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(objectsDir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(objectsDir, "index-"));
  try {
    const indexFile = join(folder, "index");
    const stats = statSync(repository.index, { throwIfNoEntry: false });
    if (stats !== undefined) {
      copyFileSync(repository.index, indexFile);
      const seconds = Math.floor(stats.mtimeMs / 1000);
      utimesSync(indexFile, seconds, seconds);
    }
    return await use(indexFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Brings the copied index to what is really there and gives the id of its tree. Whatever the last commit does not
 * hold is written to `objectsDir`, which is complete with that commit alone: what was only staged is copied too,
 * since git may throw it away later.
 *
 * While files are read in, git sees `objectsDir` alone. If it saw the repository's objects as well, it would set
 * new times on those that it meets again. @throws git_failed
 */
export async function recordTree(
  git: Git,
  repository: Repository,
  { selection, indexFile, objectsDir, rewrite = null }: TreeScope,
): Promise<string> {
  const added = [...selection.add, ...selection.repositories];
  const staged = [...added, ...selection.remove].some((change) => change.staged);
  const isSame = added.length === 0 && selection.remove.length === 0 && rewrite === null;
  if (isSame && repository.headTree !== null) {
    return repository.headTree;
  }
  const ours = { GIT_INDEX_FILE: indexFile, ...makeObjectPlaces(objectsDir) };
  const all = { ...ours, ...makeObjectPlaces(objectsDir, repository.objects) };
  const cwd = repository.root;

  await updateIndex(git, ["--force-remove"], selection.remove, { cwd, env: ours });
  // To convert line ends as `git add` does, git wants to see what the index held before.
  const before = selection.add.map(({ indexBlob }) => indexBlob).filter((blob) => blob !== null);
  if (before.length > 0) await packObjects(git, [], before, { cwd, env: all, objectsDir });
  await updateIndex(git, ["--add", "--remove", "--replace"], added, { cwd, env: ours });
  if (rewrite !== null) await rewriteInIndex(git, rewrite, { cwd, env: ours });
  const tree = (await git.read(["write-tree", "--missing-ok"], { cwd, env: ours })).trim();
  if (staged) {
    const known = repository.headTree === null ? [] : [`^${repository.headTree}`];
    await packObjects(git, ["--revs"], [tree, ...known], { cwd, env: all, objectsDir });
  }
  return tree;
}

interface TreeScope {
  readonly selection: Selection;
  readonly indexFile: string;
  readonly objectsDir: string;
  /** One of the files as it will be. */
  readonly rewrite?: PlacedRewrite | null;
}

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

async function updateIndex(git: Git, options: string[], changes: readonly Change[], place: Place) {
  if (changes.length === 0) return;
  const stdin = Buffer.concat(changes.flatMap(({ path }) => [path, Buffer.from("\0")]));
  await git.read(["update-index", ...options, "-z", "--stdin"], { ...place, stdin });
}

async function packObjects(
  git: Git,
  options: string[],
  ids: readonly string[],
  { objectsDir, ...place }: Place & { objectsDir: string },
) {
  const base = join(objectsDir, "pack", "pack");
  mkdirSync(join(objectsDir, "pack"), { recursive: true, mode: 0o700 });
  await git.read(["pack-objects", "--quiet", "--non-empty", ...options, base], {
    ...place,
    stdin: `${ids.join("\n")}\n`,
  });
}
