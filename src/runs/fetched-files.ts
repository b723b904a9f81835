import { link } from "node:fs/promises";
import { copyVerified, type VerifiedCopy } from "./copy-verified.ts";

/** A file of a host that has come to this machine. */
export interface FetchedFile extends VerifiedCopy {
  readonly place: Buffer;
}

/** By the path on the host, each byte a character (latin1). A file that was gone is not among them. */
export type FetchedFiles = ReadonlyMap<string, FetchedFile>;

/**
 * Puts what was fetched in its place, for `collectResults`. Both stay until the whole folder is in its place; on one
 * file system it is the same file, and nothing is copied.
 */
export function makeFetchedCopy(
  fetched: FetchedFiles,
): (source: Buffer, place: Buffer) => Promise<VerifiedCopy | null> {
  return async (source, place) => {
    const file = fetched.get(source.toString("latin1"));
    if (file === undefined) return null;
    const { place: from, bytes, sha256, changing } = file;
    try {
      await link(from, place);
    } catch {
      // another file system, or one without such links: copied and compared like a file of this machine
      const copy = await copyVerified(from, place);
      return copy && { ...copy, changing };
    }
    return { bytes, sha256, changing };
  };
}
