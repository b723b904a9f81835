import { readFileSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import { makeSendList, type SendFile, type SendList } from "./send-list.ts";

/** Bytes that are not UTF-8 stand in the file as `{"base64": …}`. */
type StoredBytes = string | { readonly base64: string };

/** The first line; below it stands a line for each file: `[path, bytes, mode, link or null, sha256]`. */
interface Head {
  readonly schema: 1;
  readonly source: StoredBytes;
  readonly files: number;
  readonly hash: string;
}

/** Writes the list as lines of JSON, for its owner alone: names of files may tell much. @throws home_unwritable */
export function saveSendList(path: string, { source, files, hash }: SendList): void {
  const head: Head = { schema: 1, source, files: files.length, hash };
  const lines = files.map(({ path: name, bytes, mode, link, sha256 }) =>
    JSON.stringify([storeBytes(name), bytes, mode, link === null ? null : storeBytes(link), sha256]),
  );
  writeFileAtomic(path, `${[JSON.stringify(head), ...lines].join("\n")}\n`, { mode: 0o600 });
}

/** Reads what `saveSendList` wrote; anything else does not fit its own hash. @throws send_list_damaged */
export function loadSendList(path: string): SendList {
  try {
    const [first = "", ...lines] = readFileSync(path, "utf8").split("\n").slice(0, -1);
    const head = JSON.parse(first) as Head;
    const list = makeSendList(String(head.source), lines.map(parseFile));
    if (head.schema === 1 && list.hash === head.hash && list.files.length === head.files) return list;
  } catch (fault) {
    throw new SortieError("send_list_damaged", { path, reason: describeFault(fault) }, fault);
  }
  throw new SortieError("send_list_damaged", { path, reason: "it is not as it was written" });
}

function parseFile(line: string): SendFile {
  const [path, bytes, mode, link, sha256] = JSON.parse(line) as [
    ...[path: StoredBytes, bytes: number, mode: SendFile["mode"]],
    ...[link: StoredBytes | null, sha256: string],
  ];
  return { path: readBytes(path), bytes, mode, link: link === null ? null : readBytes(link), sha256 };
}

function storeBytes(bytes: Buffer): StoredBytes {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString("base64") };
}

function readBytes(stored: StoredBytes): Buffer {
  return typeof stored === "string" ? Buffer.from(stored) : Buffer.from(stored.base64, "base64");
}
