import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { formatBytes } from "../base/bytes.ts";
import { describeFault } from "../base/error.ts";
import type { Runner } from "../process/runner.ts";
import { type FilesProvenance, fingerprintFiles } from "./fingerprint-files.ts";
import { findRepository, isIgnoredFolder } from "./git-repository.ts";
import { makeGit } from "./git-tool.ts";
import { describeLeftOut } from "./left-out.ts";
import { type GitProvenance, type RecordScope, recordGit } from "./record-git.ts";

export interface NoProvenance {
  readonly kind: "none";
  /** Begins with "code not recorded". */
  readonly reason: string;
}

/** What is known about the code of a run: so that it can be rebuilt, or at least known again, or why not. */
export type Provenance = GitProvenance | FilesProvenance | NoProvenance;

export interface ProvenanceScope extends RecordScope {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Records the code that a run in `folder` would use. In a git repository: the whole work tree, in `objectsDir`, with
 * the user's repository untouched. Elsewhere: a fingerprint. Never throws; at most about two minutes, usually 20 ms.
 */
export async function loadProvenance(runner: Runner, scope: ProvenanceScope): Promise<Provenance> {
  try {
    const [folder, objectsDir] = [realpathSync(scope.folder), resolve(scope.objectsDir)];
    return await record(runner, { ...scope, folder, objectsDir });
  } catch (fault) {
    return makeNone(describeFault(fault));
  }
}

async function record(runner: Runner, scope: ProvenanceScope): Promise<Provenance> {
  const git = makeGit(runner, scope.env, scope.objectsDir);
  const repository = await findRepository(git, scope.folder);
  if ("problem" in repository) return makeNone(repository.problem);
  if ("outside" in repository || (await isIgnoredFolder(git, repository, scope.folder))) {
    const found = fingerprintFiles(scope.folder, scope.outputs, scope.rewrite);
    return "problem" in found ? makeNone(found.problem) : found;
  }
  // A file may vanish or shrink while git reads it; what changes all the time fails twice and is told.
  return recordGit(git, repository, scope).catch(() => recordGit(git, repository, scope));
}

function makeNone(reason: string): NoProvenance {
  return { kind: "none", reason: `code not recorded: ${reason.replace(/\.$/, "")}` };
}

/** One line for people. */
export function describeProvenance(provenance: Provenance): string {
  switch (provenance.kind) {
    case "none":
      return provenance.reason;
    case "files":
      return `not in git: ${countFiles(provenance.files)}, ${formatBytes(provenance.bytes)}, known by size and time`;
    case "git":
      return describeGit(provenance);
  }
}

function describeGit({ commit, branch, tree, changes, leftOut, repositories }: GitProvenance): string {
  const place = `git ${commit?.slice(0, 10) ?? "without a commit"}${branch === null ? "" : ` on ${branch}`}`;
  const state = changes === 0 ? "" : ` with ${changes} uncommitted ${changes === 1 ? "change" : "changes"}`;
  const missing = describeLeftOut(leftOut);
  const gaps = repositories.filter(({ tree }) => tree === null).map(({ path }) => path);
  return [
    `${place}${state}, tree ${tree.slice(0, 10)}`,
    missing === null ? "" : `left out: ${missing}`,
    gaps.length === 0 ? "" : `not recorded: ${gaps.join(", ")}`,
  ]
    .filter(Boolean)
    .join("; ");
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
