import { isNumber, isOrNull, isShape, isText, parseJson } from "../base/shape.ts";
import { MAX_SESSION_ID_BYTES } from "./frame.ts";
import { joinFragments } from "./message.ts";
import {
  ENTRY_HEAD_BYTES,
  type EntryType,
  entryTypes,
  MAX_ENTRY_BYTES,
  MAX_INFO_BYTES,
  RECORDING_MAGIC,
  RECORDING_VERSION,
  type RecordingEntry,
  type RecordingInfo,
  type RecordingResult,
  START_BYTES,
} from "./recording.ts";

export type RecordingPart = { readonly type: "info"; readonly info: RecordingInfo } | RecordingEntry;

/** `start`, `info`, `length` and `entry`: what comes next. `zeros` follow an entry's place; nothing follows an `end`. */
type State = "start" | "info" | "length" | "entry" | "zeros" | "end" | "broken";

const typesByNumber: ReadonlyMap<number, EntryType> = new Map(
  (Object.entries(entryTypes) as [EntryType, number][]).map(([type, number]) => [number, type]),
);

const isInfo = isShape<RecordingInfo>({
  caseId: isOrNull(isNumber),
  jobUuid: isOrNull(isText),
  board: isOrNull(isText),
  task: isText,
  index: isNumber,
  seed: isNumber,
  sessionId: isText,
  agentId: isOrNull(isText),
  startedAt: isText,
});

const isResult = isShape<RecordingResult>({
  score: isOrNull(isNumber),
  steps: isNumber,
  detail: isOrNull(isText),
});

/**
 * Takes a recording apart as its bytes come, in pieces of any size. Never throws: see `fault`. Memory grows with the bytes
 * that came, never by a length that they claim.
 */
export class RecordingReader {
  #state: State = "start";
  #fault: string | undefined;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #wanted = START_BYTES;
  /** Where in the file the part begins that is being read. */
  #at = 0;

  /** What is wrong, as the end of a sentence about the file; nothing that follows can be told apart then. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /**
   * To be asked behind the last byte. `whole`: the end is there. `torn`: the writer was cut off, and `wholeBytes` of the
   * file hold all that can be read. A file without a whole start is a `fault`.
   */
  finish(): { readonly state: "whole" | "torn"; readonly wholeBytes: number } {
    if (this.#state === "start" || this.#state === "info") this.#fault ??= "it ends within its first lines";
    return { state: this.#state === "end" ? "whole" : "torn", wholeBytes: this.#at };
  }

  /** The parts that are complete with these bytes; those of frames may be views of them. */
  take(chunk: Uint8Array): RecordingPart[] {
    const parts: RecordingPart[] = [];
    let rest = chunk;
    while (rest.length > 0 && this.#fault === undefined) {
      if (this.#state === "zeros" || this.#state === "end") {
        this.#checkBehind(rest);
        break;
      }
      const piece = rest.subarray(0, this.#wanted - this.#held);
      rest = rest.subarray(piece.length);
      this.#pieces.push(piece);
      this.#held += piece.length;
      if (this.#held < this.#wanted) break;
      const bytes = joinFragments(this.#pieces);
      this.#pieces = [];
      this.#held = 0;
      const part = this.#read(bytes);
      if (part !== undefined) parts.push(part);
    }
    return parts;
  }

  #read(bytes: Uint8Array): RecordingPart | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (this.#state === "start") return this.#readStart(view, bytes);
    if (this.#state === "info") return this.#readInfo(bytes);
    if (this.#state === "length") return this.#readLength(view);
    return this.#readEntry(view, bytes);
  }

  #readStart(view: DataView, bytes: Uint8Array): undefined {
    if (RECORDING_MAGIC.some((byte, index) => bytes[index] !== byte))
      return this.#break("it does not begin as a recording does");
    const version = view.getUint16(8);
    if (version !== RECORDING_VERSION)
      return this.#break(`it is of version ${version}, and only version ${RECORDING_VERSION} is known here`);
    const length = view.getUint32(10);
    if (length > MAX_INFO_BYTES) return this.#break(`it claims ${length} bytes of facts about its case`);
    this.#expect("info", length);
  }

  #readInfo(bytes: Uint8Array): RecordingPart | undefined {
    const info = readJson(bytes, isInfo);
    if (info === null) return this.#break("the facts about its case are not what they must be");
    this.#at = START_BYTES + bytes.length;
    this.#expect("length", 4);
    return { type: "info", info };
  }

  #readLength(view: DataView): undefined {
    const length = view.getUint32(0);
    if (length === 0) {
      this.#state = "zeros";
      return;
    }
    if (length < ENTRY_HEAD_BYTES || length > MAX_ENTRY_BYTES)
      return this.#break(`the entry at byte ${this.#at} claims ${length} bytes`);
    this.#expect("entry", length);
  }

  #readEntry(view: DataView, bytes: Uint8Array): RecordingEntry | undefined {
    const type = typesByNumber.get(view.getUint8(0));
    const timeUs = Number(view.getBigUint64(1));
    const sidBytes = view.getUint16(9);
    const payloadAt = ENTRY_HEAD_BYTES + sidBytes;
    if (type === undefined || sidBytes > MAX_SESSION_ID_BYTES || payloadAt > bytes.length)
      return this.#break(`the entry at byte ${this.#at} cannot be read`);
    const payload = bytes.subarray(payloadAt);
    if (type !== "end") {
      this.#passEntry(bytes, "length");
      return { type, timeUs, sid: bytes.subarray(ENTRY_HEAD_BYTES, payloadAt), payload };
    }
    const result = readJson(payload, isResult);
    if (result === null) return this.#break("its end is not what it must be");
    this.#passEntry(bytes, "end");
    return { type, timeUs, result };
  }

  #passEntry(bytes: Uint8Array, next: State): void {
    this.#at += 4 + bytes.length;
    this.#expect(next, 4);
  }

  #checkBehind(rest: Uint8Array): void {
    if (this.#state === "end") this.#break(`something follows its end, at byte ${this.#at}`);
    else if (rest.some((byte) => byte !== 0))
      this.#break(`the entry at byte ${this.#at} claims 0 bytes, and something follows it`);
  }

  #expect(state: State, bytes: number): void {
    this.#state = state;
    this.#wanted = bytes;
  }

  #break(fault: string): undefined {
    this.#fault = fault;
    this.#state = "broken";
    this.#pieces = [];
  }
}

function readJson<Shape>(bytes: Uint8Array, isMeant: (value: unknown) => value is Shape): Shape | null {
  return parseJson(new TextDecoder().decode(bytes), isMeant);
}
