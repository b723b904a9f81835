const MAGIC = ":W&B";
const HEADER_BYTES = 7;
const BLOCK_BYTES = 32_768;
const CHUNK_HEADER_BYTES = 7;
const FULL = 1;
const FIRST = 2;
const LAST = 4;

/**
 * The records of a W&B offline file, which is a log of LevelDB after a header of its own: blocks of 32 KiB, and in them chunks
 * of checksum (4), length (2), kind (1) and data, where a record is one chunk or its first, middle and last ones. What is not whole
 * at the end is left out. Null where it is no such file.
 */
export function readWandbRecords(bytes: Buffer): Buffer[] | null {
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return null;
  const records: Buffer[] = [];
  let pieces: Buffer[] = [];
  let at = HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < CHUNK_HEADER_BYTES) {
      at += left;
      continue;
    }
    const from = at + CHUNK_HEADER_BYTES;
    const end = from + bytes.readUInt16LE(at + 4);
    const kind = bytes[at + 6] as number;
    if (end > bytes.length || kind < FULL || kind > LAST) break;
    if (kind === FULL || kind === FIRST) pieces = [];
    pieces.push(bytes.subarray(from, end));
    if (kind === FULL || kind === LAST) records.push(Buffer.concat(pieces));
    at = end;
  }
  return records;
}
