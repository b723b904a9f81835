/** A line is read as far as this; what comes after is skipped, however much it is. */
const MOST_LINE_BYTES = 64 * 1024;

const NEWLINE = 10;
const RETURN = 13;

/** A piece of a log up to a newline or a carriage return. */
export interface Segment {
  readonly text: string;
  /** Written over by what comes after it: it ended with a carriage return. */
  readonly isRedrawn: boolean;
  /** Its end is missing: the line was too long, or the log ends within it. */
  readonly isCut: boolean;
}

export interface SegmentSplitter {
  /** Hands over each segment that these bytes complete; keeps the rest for the next bytes. */
  readonly push: (bytes: Uint8Array, take: (segment: Segment) => void) => void;
  /** The growing segment, taken out; null where there is none. */
  readonly flush: () => Segment | null;
  readonly save: () => SplitterState;
}

/** `rest` is the head of the growing segment in base64; `isCut`: more of it was skipped. */
export interface SplitterState {
  readonly rest: string;
  readonly isCut: boolean;
}

/** Splits bytes into segments. What comes out depends on the bytes alone, not on how they were cut into pieces. */
export function makeSplitter(state: SplitterState = { rest: "", isCut: false }): SegmentSplitter {
  let pieces: Buffer[] = state.rest === "" ? [] : [Buffer.from(state.rest, "base64")];
  let size = pieces[0]?.length ?? 0;
  let isCut = state.isCut;

  const keep = (bytes: Buffer) => {
    const room = MOST_LINE_BYTES - size;
    if (bytes.length > room) isCut = true;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    if (kept.length === 0) return;
    // A copy: the caller may use its memory again.
    pieces.push(Buffer.from(kept));
    size += kept.length;
  };
  const takeRest = (isRedrawn: boolean): Segment => {
    const segment = { text: Buffer.concat(pieces).toString("utf8"), isRedrawn, isCut };
    pieces = [];
    size = 0;
    isCut = false;
    return segment;
  };

  return {
    push: (bytes, take) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let newline = buffer.indexOf(NEWLINE);
      let back = buffer.indexOf(RETURN);
      let from = 0;
      while (newline !== -1 || back !== -1) {
        const isRedrawn = newline === -1 || (back !== -1 && back < newline);
        const end = isRedrawn ? back : newline;
        if (size > 0 || isCut) {
          keep(buffer.subarray(from, end));
          take(takeRest(isRedrawn));
        } else take(readSegment(buffer, from, end, isRedrawn));
        from = end + 1;
        if (isRedrawn) back = buffer.indexOf(RETURN, from);
        else newline = buffer.indexOf(NEWLINE, from);
      }
      keep(buffer.subarray(from));
    },
    flush: () => (size === 0 && !isCut ? null : { ...takeRest(false), isCut: true }),
    save: () => ({ rest: Buffer.concat(pieces).toString("base64"), isCut }),
  };
}

function readSegment(buffer: Buffer, from: number, end: number, isRedrawn: boolean): Segment {
  const isCut = end - from > MOST_LINE_BYTES;
  const text = buffer.toString("utf8", from, isCut ? from + MOST_LINE_BYTES : end);
  return { text, isRedrawn, isCut };
}
