import { parseGitPath } from "./git-path.ts";
import type { Git } from "./git-tool.ts";

/** One path where the last commit, the index and the files are not all the same. */
export interface Change {
  /** Relative to the top folder of the work tree; names need not be UTF-8. */
  readonly path: Buffer;
  /** The index holds it. */
  readonly tracked: boolean;
  /** The index differs from the last commit here. */
  readonly staged: boolean;
  /** No file is there, or one that git takes as untracked and lists once more. */
  readonly gone: boolean;
  /** It is a repository of its own: a submodule, or one that lies there untracked. */
  readonly repository: boolean;
  /** The content that the index holds, for a tracked file. */
  readonly indexBlob: string | null;
}

export interface Status {
  /** null when no branch is checked out. */
  readonly branch: string | null;
  readonly changes: readonly Change[];
}

/** Asks git for all that differs from the last commit, untracked files one by one, ignored ones never. */
export async function loadStatus(git: Git, root: string, indexFile: string): Promise<Status> {
  const form = ["--porcelain=v2", "--branch"];
  const scope = ["--untracked-files=all", "--no-renames", "--ignore-submodules=none"];
  const printed = await git.read(["status", ...form, ...scope], {
    cwd: root,
    env: { GIT_INDEX_FILE: indexFile },
  });
  return parseStatus(printed);
}

/** Reads `git status --porcelain=v2 --branch` without renames. */
export function parseStatus(printed: string): Status {
  const lines = printed.split("\n").filter((line) => line !== "");
  const branch = lines.find((line) => line.startsWith("# branch.head "))?.slice("# branch.head ".length);
  return {
    branch: branch === undefined || branch === "(detached)" ? null : branch,
    changes: lines.map(parseChange).filter((change) => change !== null),
  };
}

// `1 XY sub modeHead modeIndex modeFile blobHead blobIndex path`
const TRACKED = /^1 (.). (.)... \d+ (\d+) (\d+) [0-9a-f]+ ([0-9a-f]+) (.*)$/s;
// `u XY sub mode1 mode2 mode3 modeFile blob1 blob2 blob3 path`: a merge that is not finished
const UNMERGED = /^u .. (.)... (?:\d+ ){3}(\d+) (?:[0-9a-f]+ ){3}(.*)$/s;
/** The mode where there is nothing. */
const NOTHING = "000000";

function parseChange(line: string): Change | null {
  if (line.startsWith("? ")) return parseUntracked(line.slice(2));
  const unmerged = UNMERGED.exec(line);
  if (unmerged) {
    const [, kind, mode, path = ""] = unmerged;
    const state = { tracked: true, staged: true, gone: mode === NOTHING, repository: kind === "S" };
    return { path: parseGitPath(path), ...state, indexBlob: null };
  }
  const [, staged, kind, indexMode = "", mode, blob = "", path] = TRACKED.exec(line) ?? [];
  if (path === undefined) return null;
  return {
    path: parseGitPath(path),
    tracked: indexMode !== NOTHING,
    staged: staged !== ".",
    gone: mode === NOTHING,
    repository: kind === "S" || indexMode === "160000",
    indexBlob: indexMode.startsWith("100") ? blob : null,
  };
}

/** A repository that lies there untracked has a slash at its end. */
function parseUntracked(text: string): Change {
  const printed = text.replace(/\/("?)$/, "$1");
  const state = { tracked: false, staged: false, gone: false, repository: printed !== text };
  return { path: parseGitPath(printed), ...state, indexBlob: null };
}
