import { makeMaskedCrc } from "./crc32c.ts";

export interface TensorflowRecords {
  readonly records: Buffer[];
  /** Where the first record begins that is not whole yet: to go on from there. */
  readonly end: number;
  readonly problems: string[];
}

const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * The records of TensorFlow's record format: length (8), its checksum (4), data, its checksum (4). A last one that is not
 * whole yet ends the file. A damaged one is left out; after a damaged length nothing more can be found.
 */
export function readTensorflowRecords(bytes: Buffer, start = 0): TensorflowRecords {
  const records: Buffer[] = [];
  const problems: string[] = [];
  let at = start;
  while (at + HEADER_BYTES <= bytes.length) {
    if (makeMaskedCrc(bytes.subarray(at, at + 8)) !== bytes.readUInt32LE(at + 8)) {
      problems.push(`the record at byte ${at} is damaged: what comes after it is lost`);
      return { records, end: at, problems };
    }
    const length = bytes.readBigUInt64LE(at);
    if (length > BigInt(bytes.length - at - HEADER_BYTES - CHECKSUM_BYTES)) break;
    const from = at + HEADER_BYTES;
    const end = from + Number(length);
    const data = bytes.subarray(from, end);
    if (makeMaskedCrc(data) === bytes.readUInt32LE(end)) records.push(data);
    else problems.push(`the record at byte ${at} is damaged and was left out`);
    at = end + CHECKSUM_BYTES;
  }
  return { records, end: at, problems };
}
