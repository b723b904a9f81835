/** JPEG pictures of one size, one after another: Motion-JPEG. */
export interface PictureTrack {
  readonly width: number;
  readonly height: number;
  /** How long each picture is shown, in microseconds. */
  readonly pictureUs: number;
  /** Of each picture, in bytes. */
  readonly sizes: readonly number[];
}

/** Many players read the sizes in an AVI file as signed numbers. */
export const MAX_AVI_BYTES = 2 ** 31 - 1;

const CHUNK_HEAD_BYTES = 8;
const INDEX_ENTRY_BYTES = 16;
const HAS_INDEX = 0x10;
const IS_KEY_FRAME = 0x10;

/**
 * All of an AVI file before its first picture. Behind it follow the pictures, each between `makePictureHead` and
 * `padding`, and then `makeIndex`. (RIFF, little-endian; the structures are those of Microsoft's AVI 1.0.)
 */
export function makeAviHead(track: PictureTrack): Buffer {
  const streamList = makeList(
    "strl",
    makeChunk("strh", makeStreamHead(track)),
    makeChunk("strf", makeFormat(track)),
  );
  const headList = makeList("hdrl", makeChunk("avih", makeMainHead(track)), streamList);
  const moviBytes = 4 + countPictureBytes(track.sizes);
  const indexBytes = CHUNK_HEAD_BYTES + INDEX_ENTRY_BYTES * track.sizes.length;
  const riffBytes = 4 + headList.length + CHUNK_HEAD_BYTES + moviBytes + indexBytes;
  return Buffer.concat([
    ...[makeChunkHead("RIFF", riffBytes), Buffer.from("AVI "), headList],
    ...[makeChunkHead("LIST", moviBytes), Buffer.from("movi")],
  ]);
}

export function makePictureHead(bytes: number): Buffer {
  return makeChunkHead("00dc", bytes);
}

/** Follows a picture of an odd number of bytes: chunks begin at even places. */
export const padding: Uint8Array = new Uint8Array(1);

/** Where each picture lies, so that players can seek. */
export function makeIndex(sizes: readonly number[]): Buffer {
  const index = Buffer.alloc(INDEX_ENTRY_BYTES * sizes.length);
  let place = 4;
  for (const [number, bytes] of sizes.entries()) {
    const at = number * INDEX_ENTRY_BYTES;
    index.write("00dc", at, "latin1");
    index.writeUInt32LE(IS_KEY_FRAME, at + 4);
    index.writeUInt32LE(place, at + 8);
    index.writeUInt32LE(bytes, at + 12);
    place += countChunkBytes(bytes);
  }
  return Buffer.concat([makeChunkHead("idx1", index.length), index]);
}

/** How many of these pictures a file of the largest size holds. */
export function countFitting(sizes: readonly number[]): number {
  let bytes = 4096; // the head takes less
  for (const [number, size] of sizes.entries()) {
    bytes += countChunkBytes(size) + INDEX_ENTRY_BYTES;
    if (bytes > MAX_AVI_BYTES) return number;
  }
  return sizes.length;
}

/** AVIMAINHEADER: one stream, and what players reserve for it. */
function makeMainHead({ width, height, pictureUs, sizes }: PictureTrack): Buffer {
  const largest = findLargest(sizes);
  const bytesPerSecond = Math.min(Math.ceil((largest * 1e6) / pictureUs), MAX_AVI_BYTES);
  const streams = 1;
  return makeWords([
    ...[pictureUs, bytesPerSecond, 0, HAS_INDEX, sizes.length, 0, streams, largest],
    ...[width, height, 0, 0, 0, 0],
  ]);
}

/** AVISTREAMHEADER. Pictures a second are `rate` through `scale`. */
function makeStreamHead({ width, height, pictureUs, sizes }: PictureTrack): Buffer {
  const unknownQuality = 0xffffffff;
  const scale = pictureUs;
  const rate = 1_000_000;
  const numbers = [0, 0, 0, scale, rate, 0, sizes.length, findLargest(sizes), unknownQuality, 0];
  const frame = Buffer.alloc(8);
  frame.writeUInt16LE(width, 4);
  frame.writeUInt16LE(height, 6);
  return Buffer.concat([Buffer.from("vidsMJPG"), makeWords(numbers), frame]);
}

/** BITMAPINFOHEADER. */
function makeFormat({ width, height }: PictureTrack): Buffer {
  const format = makeWords([40, width, height, 0, 0, width * height * 3, 0, 0, 0, 0]);
  format.writeUInt16LE(1, 12); // planes
  format.writeUInt16LE(24, 14); // bits a pixel
  format.write("MJPG", 16, "latin1");
  return format;
}

function makeList(type: string, ...chunks: readonly Buffer[]): Buffer {
  return makeChunk("LIST", Buffer.concat([Buffer.from(type), ...chunks]));
}

function makeChunk(name: string, content: Buffer): Buffer {
  return Buffer.concat([makeChunkHead(name, content.length), content]);
}

function makeChunkHead(name: string, bytes: number): Buffer {
  const head = Buffer.alloc(CHUNK_HEAD_BYTES);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(bytes, 4);
  return head;
}

function makeWords(numbers: readonly number[]): Buffer {
  const words = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) words.writeUInt32LE(number, 4 * index);
  return words;
}

function countPictureBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + countChunkBytes(bytes), 0);
}

function countChunkBytes(bytes: number): number {
  return CHUNK_HEAD_BYTES + bytes + (bytes % 2);
}

function findLargest(sizes: readonly number[]): number {
  return sizes.reduce((largest, bytes) => Math.max(largest, bytes), 0);
}
