import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { makePrintable } from "../../base/printable.ts";
import type { ServerStep } from "./judge-server.ts";
import type { GitSyncPlan } from "./plan-git-sync.ts";
import type { StagedFile } from "./staged-files.ts";

const LISTED = 30;

/**
 * What happens at home, a line each for people: the commit with its files, what is left out of it, then the push with the
 * commits it brings.
 */
export function describeGitSync(plan: GitSyncPlan, listed = LISTED): string[] {
  return [...describeCommit(plan, listed), ...describeLeftOut(plan, listed), ...describePush(plan)];
}

function describeCommit({ commit, files, branch, head }: GitSyncPlan, listed: number): string[] {
  if (commit === null) return [`nothing to commit: ${branch.branch} is at ${shorten(head)}`];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `commit ${countOf(files.length, "file")}, ${formatBytes(bytes)}, on ${branch.branch} as "${commit.message}" by ${commit.author}`,
    ...listFiles(files.map(describeFile), listed),
  ];
}

function describeLeftOut({ leftOut }: GitSyncPlan, listed: number): string[] {
  if (leftOut.length === 0) return [];
  const files = leftOut.map(({ path, bytes }) => `  ${showPath(path)} (${formatBytes(bytes)})`);
  return [
    `leave out ${countOf(leftOut.length, "file")} with a W&B API key: not committed, unchanged here`,
    ...listFiles(files, listed),
  ];
}

function listFiles(lines: readonly string[], listed: number): string[] {
  const more = lines.length - listed;
  return [
    ...lines.slice(0, listed),
    ...(more > 0 ? [`  and ${countOf(more, "more file", "more files")}`] : []),
  ];
}

function describeFile({ status, path, bytes, submodule }: StagedFile): string {
  const size = submodule ? " (submodule)" : status === "deleted" ? "" : ` (${formatBytes(bytes)})`;
  return `  ${status} ${showPath(path)}${size}`;
}

function showPath(path: string): string {
  return makePrintable(path).replaceAll("\n", "\\n");
}

function describePush({ branch, commit, unpushed, remoteCommit, isPushNeeded }: GitSyncPlan): string[] {
  const place = `${branch.remote}/${branch.remoteBranch}`;
  if (!isPushNeeded) return [`nothing to push: ${place} is there already`];
  const urls = [...new Set(branch.pushUrls)].map(makePrintable).join(", ");
  const commits = countOf(unpushed.count + (commit === null ? 0 : 1), "commit");
  const more = unpushed.count - unpushed.newest.length;
  return [
    `push ${commits} to ${place} at ${urls}${remoteCommit === null ? ", a new branch there" : ""}`,
    ...unpushed.newest.map(({ commit: id, subject }) => `  made before: ${shorten(id)} ${subject}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** What happens on one server, in a line. */
export function describeServerStep(
  { branch, submodules }: GitSyncPlan,
  { action, remote }: ServerStep,
  { host, codeDir }: { readonly host: string; readonly codeDir: string },
): string {
  const also = submodules.length > 0 ? `, with ${countOf(submodules.length, "submodule")}` : "";
  if (action === "clone") {
    return `git clone ${makePrintable(branch.url)} to ${codeDir} on ${host}, branch ${branch.remoteBranch}${also}`;
  }
  if (action === "nothing") return `nothing to pull: ${codeDir} on ${host} is at this commit`;
  return `git pull of ${remote}/${branch.remoteBranch} in ${codeDir} on ${host}, to this commit alone${also}`;
}

function shorten(commit: string | null): string {
  return commit?.slice(0, 10) ?? "no commit";
}
