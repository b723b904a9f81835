import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import type { Runner } from "../process/runner.ts";
import { type Git, makeGit, makeObjectPlaces } from "./git-tool.ts";

export interface RestoreRequest {
  /** The top folder of the repository that the tree was recorded from: its settings and its commits are used. */
  readonly root: string;
  readonly objectsDir: string;
  readonly tree: string;
  /** An empty folder, or one that is not there yet. */
  readonly into: string;
  /** Inner repositories with their own trees, as provenance lists them. */
  readonly repositories?: readonly { readonly path: string; readonly tree: string | null }[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Writes a recorded tree out as files, line ends and filters as a checkout would. Nothing of the user's repository
 * changes. @throws restore_place_taken, git_failed
 */
export async function restoreTree(runner: Runner, request: RestoreRequest): Promise<void> {
  const { root, into, tree, repositories = [], env } = request;
  const objectsDir = resolve(request.objectsDir);
  const git = makeGit(runner, env, objectsDir);
  prepareEmptyFolder(into);
  mkdirSync(objectsDir, { recursive: true, mode: 0o700 });
  await writeTree(git, { root, objectsDir, into: resolve(into), tree });
  for (const inner of repositories) {
    if (inner.tree === null) continue;
    const place = { root: join(root, inner.path), into: resolve(into, inner.path) };
    await writeTree(git, { ...place, objectsDir, tree: inner.tree });
  }
}

function prepareEmptyFolder(path: string) {
  try {
    mkdirSync(path, { recursive: true });
    if (readdirSync(path).length === 0) return;
  } catch (fault) {
    throw new SortieError("restore_place_taken", { path, reason: describeFault(fault) }, fault);
  }
  throw new SortieError("restore_place_taken", { path, reason: "it is not empty" });
}

async function writeTree(
  git: Git,
  { root, objectsDir, into, tree }: Pick<RestoreRequest, "root" | "objectsDir" | "into" | "tree">,
) {
  mkdirSync(into, { recursive: true });
  const objects = await git.read(["rev-parse", "--git-path", "objects"], { cwd: root });
  const indexFolder = mkdtempSync(join(objectsDir, "index-"));
  try {
    await git.read(["read-tree", "--reset", "-u", "--no-sparse-checkout", tree], {
      cwd: root,
      env: {
        GIT_INDEX_FILE: join(indexFolder, "index"),
        GIT_WORK_TREE: into,
        ...makeObjectPlaces(objectsDir, resolve(root, objects.replace(/\n$/, ""))),
      },
    });
  } finally {
    rmSync(indexFolder, { recursive: true, force: true });
  }
}
