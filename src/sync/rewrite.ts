import { relative } from "node:path";
import type { Repository } from "./git-repository.ts";
import type { Git } from "./git-tool.ts";
import type { Selection } from "./select-files.ts";

/**
 * One file as it will be once a plan is carried out: code is recorded, and listed to be sent, as if that were done. Once it
 * is done, the same files give the same records.
 */
export interface Rewrite {
  /** Absolute, without links in it. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** The same in a repository. */
export interface PlacedRewrite {
  /** From the top folder of the work tree. */
  readonly path: string;
  readonly bytes: Buffer;
  /** The file is as the last commit has it, so far. */
  readonly isClean: boolean;
}

/** Where the file is in a repository; null where that does not hold it: it lies elsewhere, is ignored or left out. */
export async function placeRewrite(
  git: Git,
  { root }: Repository,
  { rewrite, selection, indexFile }: { rewrite: Rewrite | null; selection: Selection; indexFile: string },
): Promise<PlacedRewrite | null> {
  if (rewrite === null || !rewrite.path.startsWith(`${root}/`)) return null;
  const [path, { bytes }] = [relative(root, rewrite.path), rewrite];
  const isPath = (change: { readonly path: Buffer }) => change.path.toString() === path;
  if (selection.add.some(isPath)) return { path, bytes, isClean: false };
  if (selection.remove.some(isPath) || selection.leftOut.some((left) => left.path === path)) return null;
  const env = { GIT_INDEX_FILE: indexFile };
  const printed = await git.read(["ls-files", "-z", "--", `:(top,literal)${path}`], { cwd: root, env });
  return printed === "" ? null : { path, bytes, isClean: true };
}

/** Puts the file's content to come into an index that holds the file, and into the objects of the call. @throws git_failed */
export async function rewriteInIndex(
  git: Git,
  { path, bytes }: PlacedRewrite,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const listed = await git.read(["ls-files", "-s", "-z", "--", `:(top,literal)${path}`], place);
  const mode = listed.split(" ")[0] || "100644";
  const form = ["hash-object", "-w", "--stdin", `--path=${path}`];
  const blob = (await git.read(form, { ...place, stdin: bytes })).trim();
  await git.read(["update-index", "--add", "--cacheinfo", `${mode},${blob},${path}`], place);
}
