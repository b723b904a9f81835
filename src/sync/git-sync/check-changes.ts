import { isUtf8 } from "node:buffer";
import { lstatSync, type Stats } from "node:fs";
import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { makePlace } from "../byte-paths.ts";
import type { Change } from "../git-status.ts";
import type { Git } from "../git-tool.ts";
import { holdsWandbKey } from "../holds-wandb-key.ts";
import { isSecretFile } from "../secret-files.ts";

/** Hosts of repositories warn from here on; what is once pushed stays in every clone for ever. */
const MAX_FILE_BYTES = 50_000_000;
const MAX_TOTAL_BYTES = 500_000_000;
const NAMED = 5;

export interface ChangeScope {
  readonly root: string;
  /** Files that hold secrets whatever they are called, by their real paths. */
  readonly secrets: readonly string[];
}

interface ChangedFile {
  readonly change: Change;
  readonly stats: Stats;
}

/**
 * Refuses what must not come into a commit, before any of it is read in. What it returns holds a W&B API key and must be
 * left out: nothing of it is staged. @throws SortieError
 */
export async function checkChanges(
  git: Git,
  changes: readonly Change[],
  scope: ChangeScope,
): Promise<ChangedFile[]> {
  const files = changes.flatMap((change) => {
    const stats = change.gone ? null : findStats(makePlace(scope.root, change.path));
    return stats?.isFile() ? [{ change, stats }] : [];
  });
  const refuseSecrets = (secret: readonly ChangedFile[]) => {
    if (secret.length === 0) return;
    throw new SortieError("git_secrets", { paths: namePaths(secret.map(({ change }) => change.path)) });
  };
  refuseSecrets(files.filter(({ change }) => isSecret(change.path, scope)));
  await checkSizes(git, files, scope);
  const keyHolders = files.filter((file) => holdsKey(file, scope));
  // Git is told by an argument what to leave out, and those are UTF-8.
  refuseSecrets(keyHolders.filter(({ change }) => !isUtf8(change.path)));
  const staged = keyHolders.filter(({ change }) => change.staged).map(({ change }) => change.path);
  if (staged.length > 0) throw new SortieError("git_key_staged", { paths: namePaths(staged) });
  return keyHolders;
}

/** `a, b and 3 more`. */
export function namePaths(paths: readonly (Buffer | string)[]): string {
  const named = paths.slice(0, NAMED).map((path) => makePrintable(path.toString()).replaceAll("\n", "\\n"));
  const more = paths.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whether a file is a secret whatever is in it. @param path from the top folder of the repository */
export function isSecret(path: Buffer, { root, secrets }: ChangeScope): boolean {
  const place = makePlace(root, path);
  return secrets.includes(place.toString()) || isSecretFile(place);
}

function findStats(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // it has gone since git saw it
  }
}

/** Files that a filter such as Git LFS makes small do not count. */
async function checkSizes(git: Git, files: readonly ChangedFile[], { root }: ChangeScope) {
  const total = files.reduce((sum, { stats }) => sum + stats.size, 0);
  if (total <= MAX_FILE_BYTES) return;
  const stdin = Buffer.concat(files.flatMap(({ change }) => [change.path, Buffer.from("\0")]));
  const printed = await git.read(["check-attr", "-z", "--stdin", "filter"], { cwd: root, stdin });
  // `path NUL filter NUL value NUL`, in the order of the question
  const filters = printed.split("\0").filter((_, index) => index % 3 === 2);
  const whole = files.filter((_, index) => /^(unspecified|unset|set)?$/.test(filters[index] ?? ""));
  const largest = [...whole].sort((a, b) => b.stats.size - a.stats.size);
  const big = largest.filter(({ stats }) => stats.size > MAX_FILE_BYTES);
  const sum = whole.reduce((bytes, { stats }) => bytes + stats.size, 0);
  if (big.length === 0 && sum <= MAX_TOTAL_BYTES) return;
  const shown = (big.length > 0 ? big : largest).map(
    ({ change, stats }) => `${change.path.toString()} (${formatBytes(stats.size)})`,
  );
  const limit =
    big.length > 0 ? `${formatBytes(MAX_FILE_BYTES)} a file` : `${formatBytes(MAX_TOTAL_BYTES)} in all`;
  const size = `${countOf(whole.length, "file")} with ${formatBytes(sum)}`;
  throw new SortieError("git_too_big", { size, limit, paths: namePaths(shown) });
}

function holdsKey({ change, stats }: ChangedFile, { root }: ChangeScope): boolean {
  if (stats.size > MAX_FILE_BYTES) return false; // kept out of the commit by a filter
  return holdsWandbKey(makePlace(root, change.path), stats.size);
}
