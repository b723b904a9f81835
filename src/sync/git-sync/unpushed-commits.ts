import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Git } from "../git-tool.ts";
import type { HomeBranch } from "./home-branch.ts";

/** Commits that the remote does not have. */
export interface UnpushedCommits {
  readonly count: number;
  /** The newest first, 20 at most. */
  readonly newest: readonly { readonly commit: string; readonly subject: string }[];
}

const LISTED = 20;

/** A file as a commit adds or changes it. */
export interface UnpushedFile {
  /** From the top folder of the repository; bytes that are not UTF-8 are replaced. */
  readonly path: string;
  /** Git's id of the content; null for a link and a submodule. */
  readonly blob: string | null;
}

export interface UnpushedScope {
  readonly root: string;
  readonly head: string | null;
  readonly home: HomeBranch;
  readonly remoteCommit: string | null;
}

/**
 * The commits that a push brings along, and the files that they add or change.
 * @throws SortieError `git_behind` when the remote's branch has what the branch here does not
 */
export async function listUnpushed(
  git: Git,
  { root, head, home, remoteCommit }: UnpushedScope,
): Promise<{ commits: UnpushedCommits; files: UnpushedFile[] }> {
  if (head === remoteCommit || (head === null && remoteCommit === null)) return { commits: NONE, files: [] };
  if (head === null || (remoteCommit !== null && !(await isAncestor(git, root, remoteCommit, head)))) {
    throw new SortieError("git_behind", { remote: home.remote, branch: home.remoteBranch });
  }
  // Where the branch is new at the remote, what its other branches have need not be pushed.
  const known = remoteCommit ?? `--remotes=${home.remote}`;
  const cwd = root;
  const ids = (await git.read(["rev-list", head, "--not", known], { cwd })).split("\n").filter(Boolean);
  if (ids.length === 0) return { commits: NONE, files: [] };
  const shown = ids.slice(0, LISTED).join("\n");
  const listed = await git.read(["rev-list", "--no-walk=unsorted", "--format=%s", "--stdin"], {
    cwd,
    stdin: shown,
  });
  // `-c`: of a merge what is as none of its parents has it
  const form = ["-r", "-c", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-commit-id"];
  const stdin = `${ids.join("\n")}\n`;
  const printed = await git.read(["diff-tree", "--stdin", "--root", ...form], { cwd, stdin });
  return {
    commits: { count: ids.length, newest: parseSubjects(listed) },
    files: parseRawDiff(printed),
  };
}

const NONE: UnpushedCommits = { count: 0, newest: [] };

/** Whether one commit is in the history of another; false also when it is not known here. */
export async function isAncestor(git: Git, root: string, older: string, newer: string): Promise<boolean> {
  const outcome = await git.ask(["merge-base", "--is-ancestor", older, newer], { cwd: root });
  return outcome.exitCode === 0;
}

/** Reads `:mode mode id id X NUL path NUL`; of a merge there is a colon, a mode and an id more for each further parent. */
function parseRawDiff(printed: string): UnpushedFile[] {
  const parts = printed.split("\0");
  const files: UnpushedFile[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const fields = (parts[at] as string).split(" ");
    const [mode = "", blob = ""] = [fields[(fields.length - 1) / 2 - 1], fields.at(-2)];
    if (/^0+$/.test(blob)) continue; // deleted
    files.push({ path: parts[at + 1] as string, blob: mode.startsWith("100") ? blob : null });
  }
  return files;
}

/** `commit ID` and the subject, in turn. */
function parseSubjects(printed: string): { commit: string; subject: string }[] {
  const lines = printed.split("\n");
  return lines.flatMap((line, index) =>
    line.startsWith("commit ") && index % 2 === 0
      ? [{ commit: line.slice("commit ".length), subject: makePrintable(lines[index + 1] ?? "") }]
      : [],
  );
}
