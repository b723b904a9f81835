import type { Git, GitCall } from "../git-tool.ts";

const STATUS_WORDS: Readonly<Record<string, StagedFile["status"]>> = { A: "added", D: "deleted" };
const SUBMODULE_MODE = "160000";

/** One file as a commit of the index would change it. */
export interface StagedFile {
  /** From the top folder of the repository; bytes that are not UTF-8 are replaced. */
  readonly path: string;
  readonly status: "added" | "changed" | "deleted";
  /** What git stores of it; 0 for a deleted file and a submodule. */
  readonly bytes: number;
  /** Git's id of the new content (a submodule's: its commit); null for a deleted file. */
  readonly blob: string | null;
  readonly submodule: boolean;
}

/** What the index of the call holds otherwise than a tree (null: than nothing), by path. @throws git_failed */
export async function listStagedFiles(git: Git, tree: string | null, call: GitCall): Promise<StagedFile[]> {
  const before =
    tree ?? (await git.read(["hash-object", "-t", "tree", "--stdin"], { ...call, stdin: "" })).trim();
  const form = ["--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
  const files = parseRawDiff(await git.read(["diff-index", ...form, before], call));
  const blobs = files.flatMap(({ blob, submodule }) => (submodule ? [] : (blob ?? [])));
  const sizes = await loadBlobSizes(git, blobs, call);
  return files.map((file) => ({ ...file, bytes: sizes.get(file.blob ?? "") ?? 0 }));
}

/** Reads `:mode mode id id X NUL path NUL` of `git diff-index --raw -z` without renames. */
function parseRawDiff(printed: string): Omit<StagedFile, "bytes">[] {
  const parts = printed.split("\0");
  const files: Omit<StagedFile, "bytes">[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode, , id = null, letter = ""] = (parts[at] as string).split(" ");
    files.push({
      path: parts[at + 1] as string,
      status: STATUS_WORDS[letter] ?? "changed",
      blob: letter === "D" ? null : id,
      submodule: mode === SUBMODULE_MODE,
    });
  }
  return files;
}

/** What git stores of each; NaN for one that it does not have. @throws git_failed */
export async function loadBlobSizes(
  git: Git,
  blobs: readonly string[],
  call: GitCall,
): Promise<Map<string, number>> {
  if (blobs.length === 0) return new Map();
  const stdin = `${[...new Set(blobs)].join("\n")}\n`;
  const printed = await git.read(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    ...call,
    stdin,
  });
  const lines = printed.trimEnd().split("\n");
  return new Map(lines.map((line) => [line.split(" ")[0] as string, Number(line.split(" ")[1])]));
}
