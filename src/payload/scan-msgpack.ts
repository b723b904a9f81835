/** How much one payload may hold before it is taken apart. */
export interface MsgpackLimits {
  readonly maxBytes: number;
  /** Maps and lists inside each other. */
  readonly maxDepth: number;
  /** Values of any kind, map keys counted. */
  readonly maxValues: number;
}

export type ScanFault = "empty" | "too_long" | "cut_off" | "trailing" | "too_deep" | "too_many" | "bad_byte";

export interface ScanResult {
  readonly fault: ScanFault;
  /** Offset of the byte at which the fault shows. */
  readonly at: number;
}

/**
 * Walks through msgpack bytes without taking them apart: one whole value, nothing behind it, within the limits.
 * Nothing is allocated by a length that the bytes claim, so that the decoder behind can be given what passes.
 */
export function scanMsgpack(bytes: Uint8Array, limits: MsgpackLimits): ScanResult | undefined {
  if (bytes.length === 0) return { fault: "empty", at: 0 };
  if (bytes.length > limits.maxBytes) return { fault: "too_long", at: limits.maxBytes };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** How many values each open map or list still waits for, the innermost last. */
  const open: number[] = [1];
  let at = 0;
  let values = 0;
  while (open.length > 0) {
    if (open[open.length - 1] === 0) {
      open.pop();
      continue;
    }
    (open[open.length - 1] as number) -= 1;
    values += 1;
    if (values > limits.maxValues) return { fault: "too_many", at };
    if (at >= bytes.length) return { fault: "cut_off", at };
    const start = at;
    const head = bytes[at] as number;
    const shape = readShape(view, at, head);
    if (shape === undefined) return { fault: head === 0xc1 ? "bad_byte" : "cut_off", at: start };
    at += shape.bytes;
    if (at > bytes.length) return { fault: "cut_off", at: start };
    if (shape.inside > 0) {
      // Each value takes at least one byte: a count beyond that is a lie, however long the loop would wait for it.
      if (shape.inside > bytes.length - at) return { fault: "cut_off", at: start };
      if (open.length > limits.maxDepth) return { fault: "too_deep", at: start };
      open.push(shape.inside);
    }
  }
  return at < bytes.length ? { fault: "trailing", at } : undefined;
}

interface Shape {
  /** Bytes of this value alone, its head included. */
  readonly bytes: number;
  /** Values that follow inside it. */
  readonly inside: number;
}

/** The size of the value that begins at `at`; undefined when its length is cut off or its head is not msgpack. */
function readShape(view: DataView, at: number, head: number): Shape | undefined {
  if (head <= 0x7f || head >= 0xe0) return { bytes: 1, inside: 0 };
  if (head <= 0x8f) return { bytes: 1, inside: (head & 0x0f) * 2 };
  if (head <= 0x9f) return { bytes: 1, inside: head & 0x0f };
  if (head <= 0xbf) return { bytes: 1 + (head & 0x1f), inside: 0 };
  const row = headTable[head - 0xc0];
  if (row === undefined) return undefined;
  if (row.lengthBytes === 0) return { bytes: row.fixed, inside: 0 };
  if (at + 1 + row.lengthBytes > view.byteLength) return undefined;
  const length = readLength(view, at + 1, row.lengthBytes);
  if (row.perItem === 0) return { bytes: row.fixed + row.lengthBytes + length, inside: 0 };
  return { bytes: row.fixed + row.lengthBytes, inside: length * row.perItem };
}

function readLength(view: DataView, at: number, lengthBytes: number): number {
  if (lengthBytes === 1) return view.getUint8(at);
  return lengthBytes === 2 ? view.getUint16(at) : view.getUint32(at);
}

interface HeadRow {
  /** Bytes beside the length field and what it counts. */
  readonly fixed: number;
  readonly lengthBytes: 0 | 1 | 2 | 4;
  /** Values for each item that the length counts: 0 where it counts bytes. */
  readonly perItem: 0 | 1 | 2;
}

/** Heads 0xc0 to 0xdf, as the msgpack specification lists them; 0xc1 is never used. */
const headTable: readonly (HeadRow | undefined)[] = [
  makeFixed(1), // nil
  undefined,
  makeFixed(1), // false
  makeFixed(1), // true
  ...makeSized(1, 0), // bin
  ...makeSized(2, 0), // ext: one byte for its type
  makeFixed(5), // float 32
  makeFixed(9), // float 64
  ...[2, 3, 5, 9].map(makeFixed), // uint
  ...[2, 3, 5, 9].map(makeFixed), // int
  ...[3, 4, 6, 10, 18].map(makeFixed), // fixext
  ...makeSized(1, 0), // str
  ...makeSized(1, 1).slice(1), // array
  ...makeSized(1, 2).slice(1), // map
];

function makeFixed(bytes: number): HeadRow {
  return { fixed: bytes, lengthBytes: 0, perItem: 0 };
}

/** The rows of a type whose length is written in 1, 2 or 4 bytes. */
function makeSized(fixed: number, perItem: 0 | 1 | 2): HeadRow[] {
  return ([1, 2, 4] as const).map((lengthBytes) => ({ fixed, lengthBytes, perItem }));
}
