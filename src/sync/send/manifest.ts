import type { SendFile, SendList } from "./send-list.ts";

/**
 * What a host checks the sent files against: the text that `sha256sum -c` and `shasum -a 256 -c` read, with a comment
 * for each right to execute and each link, which check-sent.sh reads:
 *
 *     HASH  ./path
 *     \HASH  ./path with \\ for a backslash, \n for a newline, \r for a carriage return
 *     #x ./path
 *     #l ./path
 *     #t target, of the link in the line before
 *
 * Paths and targets of comments are always written with these escapes.
 */
export function makeManifest({ files }: SendList): Buffer {
  return Buffer.concat(files.flatMap(makeLines));
}

function makeLines({ path, mode, link, sha256 }: SendFile): Buffer[] {
  const place = Buffer.concat([Buffer.from("./"), path]);
  const escaped = escapeBytes(place);
  if (link !== null) return [...makeLine("#l ", escaped), ...makeLine("#t ", escapeBytes(link))];
  const mark = escaped.length === place.length ? "" : "\\";
  return [...makeLine(`${mark}${sha256}  `, escaped), ...(mode === 0o755 ? makeLine("#x ", escaped) : [])];
}

function makeLine(start: string, rest: Buffer): Buffer[] {
  return [Buffer.from(start), rest, Buffer.from("\n")];
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };

function escapeBytes(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  return Buffer.from(
    text.replace(/[\\\n\r]/g, (character) => ESCAPES[character] as string),
    "latin1",
  );
}
