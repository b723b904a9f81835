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

export interface UnpushedScope {
  readonly root: string;
  readonly head: string | null;
  readonly home: HomeBranch;
  readonly remoteCommit: string | null;
}

/**
 * The commits that a push brings along, and the paths that they add or change.
 * @throws SortieError `git_behind` when the remote's branch has what the branch here does not
 */
export async function listUnpushed(
  git: Git,
  { root, head, home, remoteCommit }: UnpushedScope,
): Promise<{ commits: UnpushedCommits; paths: string[] }> {
  if (head === remoteCommit || (head === null && remoteCommit === null)) return { commits: NONE, paths: [] };
  if (head === null || (remoteCommit !== null && !(await isAncestor(git, root, remoteCommit, head)))) {
    throw new SortieError("git_behind", { remote: home.remote, branch: home.remoteBranch });
  }
  // Where the branch is new at the remote, what its other branches have need not be pushed.
  const known = remoteCommit ?? `--remotes=${home.remote}`;
  const cwd = root;
  const ids = (await git.read(["rev-list", head, "--not", known], { cwd })).split("\n").filter(Boolean);
  if (ids.length === 0) return { commits: NONE, paths: [] };
  const shown = ids.slice(0, LISTED).join("\n");
  const listed = await git.read(["rev-list", "--no-walk=unsorted", "--format=%s", "--stdin"], {
    cwd,
    stdin: shown,
  });
  const form = ["--stdin", "-r", "--root", "--no-commit-id", "--name-only", "-z", "--no-renames"];
  const paths = await git.read(["diff-tree", ...form, "--diff-filter=AMT"], {
    cwd,
    stdin: `${ids.join("\n")}\n`,
  });
  return {
    commits: { count: ids.length, newest: parseSubjects(listed) },
    paths: paths.split("\0").filter(Boolean),
  };
}

const NONE: UnpushedCommits = { count: 0, newest: [] };

/** Whether one commit is in the history of another; false also when it is not known here. */
export async function isAncestor(git: Git, root: string, older: string, newer: string): Promise<boolean> {
  const outcome = await git.ask(["merge-base", "--is-ancestor", older, newer], { cwd: root });
  return outcome.exitCode === 0;
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
