import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findGitFault, type Git } from "./git-tool.ts";

export interface Repository {
  /** The top folder of the work tree, without symlinks. */
  readonly root: string;
  /** The index file, which is not there before the first `git add`. */
  readonly index: string;
  /** The folder of its objects. */
  readonly objects: string;
  /** The commit that is checked out and its tree; null before the first commit. */
  readonly commit: string | null;
  readonly headTree: string | null;
}

/** The repository of a folder; `outside` when it is in none; a refusal or fault of git as `problem`. */
export type RepositoryAnswer = Repository | { readonly outside: true } | { readonly problem: string };

// Git echoes an option that it does not know, which gives paths with newlines an end.
const NEXT = "--sortie-next";

/** @param cwd a folder without symlinks in its path */
export async function findRepository(git: Git, cwd: string): Promise<RepositoryAnswer> {
  if (!isRepositoryPossible(cwd)) return { outside: true };
  const paths = ["--git-path", "index", NEXT, "--git-path", "objects", NEXT];
  const revisions = ["--revs-only", "HEAD", "HEAD^{tree}"];
  const outcome = await git.ask(
    ["rev-parse", "--is-inside-work-tree", NEXT, "--show-cdup", NEXT, ...paths, ...revisions],
    { cwd },
  );
  if (outcome.notStarted || outcome.stderr.includes("not a git repository")) return { outside: true };
  const problem = findGitFault(outcome);
  if (problem !== null) return { problem };
  const [inside = "", up = "", index = "", objects = "", revisionText = ""] = splitAnswer(outcome.stdout);
  if (inside !== "true")
    return { problem: "the folder belongs to git itself and holds no files of the project" };
  const [commit = null, headTree = null] = revisionText.split("\n").filter(Boolean);
  return {
    root: resolve(cwd, up),
    index: resolve(cwd, index),
    objects: resolve(cwd, objects),
    commit,
    headTree,
  };
}

/** Git looks for `.git`, or for a bare repository, upward from the folder: where neither is, it need not be started. */
function isRepositoryPossible(folder: string): boolean {
  if (existsSync(join(folder, ".git")) || existsSync(join(folder, "HEAD"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isRepositoryPossible(parent);
}

/** Whether git was told to ignore the whole folder, as in a home folder kept in git: then git knows nothing of it. */
export async function isIgnoredFolder(git: Git, repository: Repository, cwd: string): Promise<boolean> {
  if (cwd === repository.root) return false;
  const outcome = await git.ask(["check-ignore", "--quiet", "."], { cwd });
  return outcome.exitCode === 0;
}

function splitAnswer(stdout: string): string[] {
  return stdout.split(`${NEXT}\n`).map((part) => part.replace(/\n$/, ""));
}
