import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import type { Runner } from "../../process/runner.ts";
import { makePlace } from "../byte-paths.ts";
import { findRepository, isIgnoredFolder } from "../git-repository.ts";
import { makeGit } from "../git-tool.ts";
import type { Rewrite } from "../rewrite.ts";
import { checkCopies } from "./check-copies.ts";
import { checkSendLimit } from "./check-send-limit.ts";
import { listGitFiles } from "./list-git-files.ts";
import { listPlainFiles } from "./list-plain-files.ts";
import { listWantedFiles } from "./list-wanted-files.ts";
import { noteLinks } from "./note-links.ts";
import { readFiles } from "./read-files.ts";
import { makeSendList, type SendFile, type SendList } from "./send-list.ts";
import { type FileSink, makeFileSorter } from "./sort-files.ts";
import type { LeftOutSum } from "./sum-left-out.ts";

export interface SendScope {
  /** The project folder at home. */
  readonly source: string;
  /** The run's folder, in the project: `results` and relative `copies` count from it. Default: the project folder. */
  readonly folder?: string;
  /** What the run writes, as globs. */
  readonly results: readonly string[];
  /** `sync_include` and `sync_exclude`: globs that count from the project. Where both match, it is left out. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** What `--copy` names. */
  readonly copies: readonly string[];
  /** One of the files as it will be before it is sent. */
  readonly rewrite?: Rewrite | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SendPlan extends SendList {
  /** Whose list it is: git's, or all files where there is no git. */
  readonly origin: "git" | "folder";
  readonly leftOut: LeftOutSum;
  /** What people should know of, a line each. */
  readonly notes: readonly string[];
}

/**
 * Finds what a sync sends: the code and configuration below `source`, every file read once for its hash. Touches
 * nothing. @throws git_failed, sync_unreadable, sync_too_much, sync_copy_missing, sync_copy_outside, sync_pattern_outside
 */
export async function planSend(runner: Runner, scope: SendScope): Promise<SendPlan> {
  const source = findRealPath(scope.source);
  const folder = findRealPath(scope.folder ?? scope.source);
  const copies = checkCopies(scope.copies, { source, folder });
  const sorter = makeFileSorter({ ...scope, source, folder, copies });
  const { origin, notes } = await listFiles(runner, source, sorter, scope.env);
  listWantedFiles(source, sorter, { include: scope.include, copies });
  checkSendLimit(sorter.found);

  const files: SendFile[] = [];
  await readFiles(source, sorter.found, (found, { file, holdsKey }) => {
    if (!holdsKey || !sorter.leaveKeyHolder(found)) files.push(file);
  });
  const list = makeSendList(
    source,
    files.map((file) => applyRewrite(source, file, scope.rewrite ?? null)),
  );
  return { ...list, origin, leftOut: sorter.sumLeftOut(), notes: [...notes, ...noteLinks(list)] };
}

function applyRewrite(source: string, file: SendFile, rewrite: Rewrite | null): SendFile {
  if (rewrite === null || file.link !== null || makePlace(source, file.path).toString() !== rewrite.path)
    return file;
  const { bytes } = rewrite;
  return { ...file, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function findRealPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (fault) {
    throw new SortieError("sync_unreadable", { path: folder, reason: describeFault(fault) }, fault);
  }
}

async function listFiles(runner: Runner, source: string, sink: FileSink, env: SendScope["env"]) {
  const git = makeGit(runner, env);
  const repository = await findRepository(git, source);
  if ("problem" in repository) {
    throw new SortieError("git_failed", {
      ...{ command: "rev-parse", reason: repository.problem, folder: source },
    });
  }
  if ("outside" in repository || (await isIgnoredFolder(git, repository, source))) {
    listPlainFiles(source, sink);
    return { origin: "folder" as const, notes: [] };
  }
  const place = { source, folder: Buffer.alloc(0), root: repository.root };
  return { origin: "git" as const, notes: await listGitFiles(git, place, sink) };
}
