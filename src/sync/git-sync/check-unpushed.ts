import { SortieError } from "../../base/error.ts";
import type { Git } from "../git-tool.ts";
import { type ChangeScope, isSecret, namePaths } from "./check-changes.ts";
import { findKeyBlobs } from "./find-key-blobs.ts";
import type { UnpushedFile } from "./unpushed-commits.ts";

/**
 * Refuses commits with secrets that were made but not pushed yet: by the names of their files, and by a W&B API key in one,
 * even if a later commit took it out. @throws SortieError `git_secrets_committed`
 */
export async function checkUnpushed(
  git: Git,
  files: readonly UnpushedFile[],
  scope: ChangeScope,
): Promise<void> {
  refuse(files.filter(({ path }) => isSecret(Buffer.from(path), scope)));
  const blobs = files.flatMap(({ blob }) => blob ?? []);
  const withKey = await findKeyBlobs(git, scope.root, blobs);
  refuse(files.filter(({ blob }) => blob !== null && withKey.has(blob)));
}

function refuse(secret: readonly UnpushedFile[]) {
  const paths = [...new Set(secret.map(({ path }) => path))];
  if (paths.length > 0) throw new SortieError("git_secrets_committed", { paths: namePaths(paths) });
}
