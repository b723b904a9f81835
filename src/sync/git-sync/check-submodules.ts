import { existsSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Change } from "../git-status.ts";
import { findGitFault, type Git } from "../git-tool.ts";

interface Submodule {
  /** From the top folder of the outermost repository. */
  readonly path: string;
  readonly commit: string;
}

export interface SubmoduleScope {
  readonly root: string;
  readonly indexFile: string;
  /** Where the outer index differs from the last commit or from what is there. */
  readonly changes: readonly Change[];
}

/**
 * The submodules that the index names. A commit can only point at a commit of theirs, which the server must be able to
 * fetch. @throws SortieError `git_submodule_unready`
 */
export async function checkSubmodules(git: Git, scope: SubmoduleScope): Promise<string[]> {
  const { root, indexFile, changes } = scope;
  for (const { path, tracked } of changes.filter(({ repository, gone }) => repository && !gone)) {
    if (!tracked) refuse(path.toString(), "a repository of its own, and no submodule of this one");
    const outcome = await git.ask(["status", "--porcelain", "--ignore-submodules=none"], {
      cwd: join(root, path.toString()),
    });
    if (outcome.stdout !== "") refuse(path.toString(), "a submodule with changes that are not committed");
  }
  const submodules = await listSubmodules(git, root, { GIT_INDEX_FILE: indexFile });
  for (const submodule of submodules) await checkPushed(git, root, submodule);
  return submodules.map(({ path }) => path);
}

function refuse(path: string, reason: string): never {
  throw new SortieError("git_submodule_unready", { path: makePrintable(path), reason });
}

async function listSubmodules(
  git: Git,
  root: string,
  env: Record<string, string> = {},
): Promise<Submodule[]> {
  if (!existsSync(join(root, ".gitmodules"))) return [];
  const printed = await git.read(["ls-files", "--stage", "-z"], { cwd: root, env });
  return printed.split("\0").flatMap((line) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
    return commit === undefined || path === undefined ? [] : [{ path, commit }];
  });
}

/** One that is not fetched at home has no commits that were only made here. */
async function checkPushed(git: Git, root: string, { path, commit }: Submodule, above = ""): Promise<void> {
  const cwd = join(root, path);
  const shown = `${above}${path}`;
  if (!existsSync(join(cwd, ".git"))) return;
  const outcome = await git.ask(["rev-list", "--max-count=1", commit, "--not", "--remotes"], { cwd });
  if (findGitFault(outcome) !== null || outcome.stdout !== "") {
    refuse(shown, `a submodule whose commit ${commit.slice(0, 10)} is not pushed`);
  }
  for (const inner of await listSubmodules(git, cwd)) await checkPushed(git, cwd, inner, `${shown}/`);
}
