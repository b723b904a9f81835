import { createHash } from "node:crypto";

/** One file or link to be sent. */
export interface SendFile {
  /** In bytes, relative to the project: names need not be UTF-8. */
  readonly path: Buffer;
  /** Of a link: the length of its target. */
  readonly bytes: number;
  /** As git knows modes: with or without the right to be executed; a link has 0o777. */
  readonly mode: 0o644 | 0o755 | 0o777;
  /** Where a link leads; null for a file. */
  readonly link: Buffer | null;
  /** Of the content, or of a link's target. */
  readonly sha256: string;
}

/** All that is sent, in the order of its paths. */
export interface SendList {
  /** The project folder at home, without symlinks in its path. */
  readonly source: string;
  readonly files: readonly SendFile[];
  readonly bytes: number;
  /** Of all paths, modes and contents: equal lists of equal files have equal hashes, wherever they lie. */
  readonly hash: string;
}

export function makeSendList(source: string, unordered: readonly SendFile[]): SendList {
  const files = [...unordered].sort((a, b) => a.path.compare(b.path));
  const hash = createHash("sha256");
  let bytes = 0;
  for (const file of files) {
    hash.update(file.path).update(`\0${file.mode.toString(8)}\0${file.sha256}\0`);
    bytes += file.bytes;
  }
  return { source, files, bytes, hash: hash.digest("hex") };
}

/** The paths as `rsync --from0 --files-from` and `xargs -0` read them; `./` keeps a name from being a comment or an option. */
export function makePathList({ files }: SendList): Buffer {
  return Buffer.concat(files.flatMap(({ path }) => [Buffer.from("./"), path, Buffer.from("\0")]));
}
