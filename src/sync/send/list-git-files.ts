import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { SortieError } from "../../base/error.ts";
import type { Outcome } from "../../process/runner.ts";
import { findMarkedFolders } from "../generated-files.ts";
import { parseGitPath } from "../git-path.ts";
import { findRepository } from "../git-repository.ts";
import { findGitFault, type Git } from "../git-tool.ts";
import { dataFolders } from "./data-names.ts";
import type { FileSink } from "./sort-files.ts";

export interface GitFolder {
  /** The project, without symlinks in its path. */
  readonly source: string;
  /** What of it is listed, in bytes, with a slash at its end; empty for all of it. */
  readonly folder: Buffer;
  /** The top folder of the work tree that it lies in. */
  readonly root: string;
}

/**
 * Hands on what git tracks, or does not ignore, in a folder of the project, the repositories inside it included; of
 * what git ignores, the names alone. Answers with notes for people. @throws git_failed, sync_unreadable
 */
export async function listGitFiles(git: Git, place: GitFolder, sink: FileSink): Promise<string[]> {
  const { source, folder } = place;
  const elsewhere = ["--", ".", ...leaveDataFolders(place, sink)];
  const [tracked, others, ignored] = await Promise.all([
    askGit(git, place, ["--cached", "--stage"]),
    askGit(git, place, ["--others", "--exclude-standard", ...elsewhere]),
    askGit(git, place, ["--others", "--ignored", "--exclude-standard", "--directory", ...elsewhere]),
  ]);

  sink.passOver(Buffer.concat([folder, Buffer.from(".git/")]));
  for (const { path, reason } of findClosed(others.stderr, place)) sink.refuse(path, reason);
  const repositories = [
    ...takeTracked(splitLines(tracked), folder, sink),
    ...takeOthers(splitLines(others), folder, sink),
  ];
  for (const path of splitLines(ignored).map((line) => parseBelow(folder, line))) {
    if (isFolder(path)) sink.passOver(path, { ignored: true });
    else sink.take(path, { ignored: true });
  }
  return listInner(git, source, sink, repositories);
}

/** Untracked data may be millions of files: git need not name each. Answers with what keeps it from that. */
function leaveDataFolders({ source, folder }: GitFolder, sink: FileSink): string[] {
  if (folder.length > 0) return [];
  return dataFolders
    .filter((name) => lstatSync(`${source}/${name}`, { throwIfNoEntry: false })?.isDirectory())
    .filter((name) => !sink.enters(Buffer.from(`${name}/`)))
    .map((name) => `:(exclude)${name}`);
}

/** Paths come in git's own quoting and not with `-z`: the answer is text, in which odd bytes would not last. */
async function askGit(git: Git, { source, folder }: GitFolder, options: readonly string[]): Promise<Outcome> {
  const cwd = `${source}/${folder}`;
  const outcome = await git.ask(["ls-files", ...options], { cwd });
  const reason = findGitFault(outcome);
  if (reason !== null) throw new SortieError("git_failed", { command: "ls-files", reason, folder: cwd });
  return outcome;
}

/** Folders closed to git, of which it says so and goes on; it names them from the top of the work tree. */
function findClosed(stderr: string, { source, folder, root }: GitFolder) {
  const from = join(source, folder.toString());
  return [...stderr.matchAll(/could not open directory '(.*?)\/?': (.*)/g)].map(
    ([, path = "", reason = ""]) => ({
      path: Buffer.concat([folder, Buffer.from(`${relative(from, join(root, path))}/`)]),
      reason,
    }),
  );
}

function splitLines({ stdout }: Outcome): string[] {
  return stdout.split("\n").slice(0, -1);
}

function parseBelow(folder: Buffer, printed: string): Buffer {
  return Buffer.concat([folder, parseGitPath(printed)]);
}

/** Reads `mode blob stage<tab>path`; the repositories among them are handed back, each with a slash at its end. */
function takeTracked(lines: readonly string[], folder: Buffer, sink: FileSink): Buffer[] {
  const repositories: Buffer[] = [];
  let last = "";
  for (const line of lines) {
    const printed = line.slice(line.indexOf("\t") + 1);
    if (printed === last) continue; // a merge that is not finished has a path up to three times
    last = printed;
    const path = parseBelow(folder, printed);
    if (line.startsWith("160000 ")) repositories.push(Buffer.concat([path, Buffer.from("/")]));
    else sink.take(path, { tracked: true });
  }
  return repositories;
}

function takeOthers(lines: readonly string[], folder: Buffer, sink: FileSink): Buffer[] {
  const paths = lines.map((line) => parseBelow(folder, line));
  const names = paths.map(String);
  const marked = findMarkedFolders(names);
  paths.forEach((path, index) => {
    const name = names[index] as string;
    if (!isFolder(path)) sink.take(path, { marked: marked.some((above) => name.startsWith(above)) });
  });
  return paths.filter(isFolder);
}

function isFolder(path: Buffer): boolean {
  return path.at(-1) === SLASH;
}

const SLASH = 0x2f;

async function listInner(git: Git, source: string, sink: FileSink, folders: readonly Buffer[]) {
  const notes: string[] = [];
  for (const folder of folders) {
    if (!sink.enters(folder)) continue;
    const place = `${source}/${folder.subarray(0, -1)}`;
    const repository = await findRepository(git, place);
    if ("problem" in repository) {
      throw new SortieError("git_failed", {
        ...{ command: "rev-parse", reason: repository.problem, folder: place },
      });
    }
    // The empty folder of a submodule that was never fetched belongs to the repository around it.
    if ("outside" in repository || repository.root !== place) {
      notes.push(`${folder} is a repository whose files are not here: nothing of it is sent`);
    } else notes.push(...(await listGitFiles(git, { source, folder, root: place }, sink)));
  }
  return notes;
}
