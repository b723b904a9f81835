import { join } from "node:path";
import type { Runner } from "../process/runner.ts";
import { parseGitPath } from "./git-path.ts";
import { findRepository } from "./git-repository.ts";
import { makeGit, makeObjectPlaces } from "./git-tool.ts";
import type { Provenance } from "./provenance.ts";
import type { GitProvenance } from "./record-git.ts";

const NAMED = 5;

export interface CompareScope {
  /** The object folder of each side. */
  readonly objectsDirs: readonly [string, string];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files that Sortie itself writes, absolute: a change in them alone is none of the code. */
  readonly ownFiles?: readonly string[];
}

/** What is different in the code, in a sentence without its full stop; null when it is the same. */
export async function compareProvenance(
  runner: Runner,
  before: Provenance,
  after: Provenance,
  scope: CompareScope,
): Promise<string | null> {
  if (before.kind === "git" && after.kind === "git") return compareGit(runner, before, after, scope);
  if (before.kind === "files" && after.kind === "files") {
    if (before.hash === after.hash) return null;
    if (before.files === after.files) return "files of the code changed";
    return `files of the code changed: there were ${before.files}, there are ${after.files}`;
  }
  if (before.kind === "none" && after.kind === "none") return null;
  return `the code is now recorded in another way (${nameKind(after)}, before ${nameKind(before)})`;
}

async function compareGit(
  runner: Runner,
  before: GitProvenance,
  after: GitProvenance,
  scope: CompareScope,
): Promise<string | null> {
  if (before.root !== after.root) return `the repository is now ${after.root}, before ${before.root}`;
  const inner = findChangedRepositories(before, after);
  if (before.tree === after.tree && inner.length === 0) return null;
  const paths = [...(await listChangedPaths(runner, before, after, scope)), ...inner];
  const unique = [...new Set(paths)].filter((path) => !scope.ownFiles?.includes(join(after.root, path)));
  if (paths.length === 0) return "the code changed";
  if (unique.length === 0) return null;
  const more = unique.length - NAMED;
  return `the code changed: ${unique.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Empty also when git cannot tell: the trees differ all the same. */
async function listChangedPaths(
  runner: Runner,
  before: GitProvenance,
  after: GitProvenance,
  { objectsDirs, env }: CompareScope,
): Promise<string[]> {
  if (before.tree === after.tree) return [];
  const git = makeGit(runner, env);
  const repository = await findRepository(git, after.root);
  if (!("objects" in repository)) return [];
  const form = ["-r", "--name-only", "--no-renames", "--ignore-submodules=none"];
  const outcome = await git.ask(["diff-tree", ...form, before.tree, after.tree], {
    cwd: after.root,
    env: makeObjectPlaces(repository.objects, ...objectsDirs),
  });
  if (outcome.exitCode !== 0) return [];
  return outcome.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => parseGitPath(line).toString());
}

function findChangedRepositories(before: GitProvenance, after: GitProvenance): string[] {
  const trees = new Map(before.repositories.map(({ path, tree }) => [path, tree]));
  const kept = new Set(after.repositories.map(({ path }) => path));
  return [
    ...after.repositories.filter(({ path, tree }) => trees.get(path) !== tree).map(({ path }) => path),
    ...before.repositories.filter(({ path }) => !kept.has(path)).map(({ path }) => path),
  ];
}

function nameKind({ kind }: Provenance): string {
  return { git: "from git", files: "by size and time", none: "not at all" }[kind];
}
