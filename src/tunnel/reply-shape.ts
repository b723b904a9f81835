/** The skeleton of a reply that passed every check: all of its bytes but those of its numbers. */
export interface ReplyShape {
  readonly bytes: Uint8Array;
  /** Where the head of each float stands, in order. */
  readonly floatsAt: Uint32Array;
}

/** Beyond it a number needs the whole check. */
const LARGEST = 1e4;
const FLOAT32 = 0xca;
const FLOAT64 = 0xcb;

/**
 * Learns the shape of a msgpack value that is known to be whole. undefined where it holds a type that no action has, or
 * hardly any floats: then nothing would be saved.
 */
export function learnShape(bytes: Uint8Array): ReplyShape | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const floatsAt: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = bytes[at] as number;
    if (head === FLOAT32 || head === FLOAT64) floatsAt.push(at);
    const size = measureValue(view, at, head);
    if (size === undefined) return undefined;
    at += size;
  }
  return floatsAt.length < 16 ? undefined : { bytes: bytes.slice(), floatsAt: Uint32Array.from(floatsAt) };
}

/**
 * Whether a reply is one of this shape with other numbers, all of them finite and below 10,000. Then it keeps every hard
 * rule that the first one kept, and costs a twentieth of the whole check.
 */
export function hasShape({ bytes, floatsAt }: ReplyShape, reply: Uint8Array): boolean {
  if (reply.length !== bytes.length) return false;
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength);
  let from = 0;
  for (let index = 0; index < floatsAt.length; index += 1) {
    const at = floatsAt[index] as number;
    // Up to the head of the float and with it, nothing may differ. Mostly that is the head alone.
    for (; from <= at; from += 1) if (reply[from] !== bytes[from]) return false;
    const isDouble = reply[at] === FLOAT64;
    const value = isDouble ? view.getFloat64(from) : view.getFloat32(from);
    if (!(Math.abs(value) < LARGEST)) return false;
    from += isDouble ? 8 : 4;
  }
  for (; from < bytes.length; from += 1) if (reply[from] !== bytes[from]) return false;
  return true;
}

/** The bytes of one value, without what a map or list holds; undefined for blobs, ext and what is cut off. */
function measureValue(view: DataView, at: number, head: number): number | undefined {
  if (head <= 0x9f || head >= 0xe0) return 1; // small integers, and the heads of small maps and lists
  if (head <= 0xbf) return 1 + (head & 0x1f); // short text
  const left = view.byteLength - at;
  if (head === 0xd9 && left >= 2) return 2 + view.getUint8(at + 1);
  if (head === 0xda && left >= 3) return 3 + view.getUint16(at + 1);
  return fixedSizes[head];
}

const fixedSizes: Readonly<Record<number, number>> = {
  ...{ 192: 1, 194: 1, 195: 1 }, // nil, false, true
  ...{ [FLOAT32]: 5, [FLOAT64]: 9 },
  ...{ 204: 2, 205: 3, 206: 5, 207: 9, 208: 2, 209: 3, 210: 5, 211: 9 }, // integers
  ...{ 220: 3, 221: 5, 222: 3, 223: 5 }, // the heads of large lists and maps
};
