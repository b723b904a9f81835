/** What a comment segment adds beside its text: marker and length (ITU T.81, B.2.4.5). */
const SEGMENT_HEADER_BYTES = 4;
const MAX_TEXT_BYTES = 0xffff - 2;

const START_OF_IMAGE_BYTES = 2;
const APP0 = 0xe0;

/** Makes a JPEG longer by at least `bytes`, and by 3 more at most, with comments that no decoder shows. */
export function fillJpeg(jpeg: Uint8Array, bytes: number): Uint8Array {
  const comments: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    const textBytes = Math.min(MAX_TEXT_BYTES, Math.max(0, left - SEGMENT_HEADER_BYTES));
    comments.push(makeComment(textBytes));
    left -= SEGMENT_HEADER_BYTES + textBytes;
  }
  const at = findFirstPlace(jpeg);
  return Buffer.concat([jpeg.subarray(0, at), ...comments, jpeg.subarray(at)]);
}

/** Behind the segment that must be the first. */
function findFirstPlace(jpeg: Uint8Array): number {
  if (jpeg[START_OF_IMAGE_BYTES + 1] !== APP0) return START_OF_IMAGE_BYTES;
  const length = new DataView(jpeg.buffer, jpeg.byteOffset).getUint16(START_OF_IMAGE_BYTES + 2);
  return START_OF_IMAGE_BYTES + 2 + length;
}

function makeComment(textBytes: number): Buffer {
  const comment = Buffer.alloc(SEGMENT_HEADER_BYTES + textBytes, "-");
  comment.set([0xff, 0xfe]);
  comment.writeUInt16BE(textBytes + 2, 2);
  return comment;
}
