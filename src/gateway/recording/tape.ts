import { existsSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes } from "../../base/bytes.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { MAX_MESSAGE_BYTES } from "../../wire/message.ts";
import {
  delayRecordingEntry,
  makeRecordingEnd,
  makeRecordingFrame,
  makeRecordingStart,
  type RecordingInfo,
} from "../../wire/recording.ts";
import { encodeSessionId } from "../../wire/session-id.ts";
import type { CaseResult } from "../simulator.ts";
import { findTail, type Tail } from "./find-tail.ts";
import { findReserveFault } from "./reserve.ts";
import type { Shelf } from "./shelf.ts";

/** The recording of one session while it is made. Nothing of it throws, rejects, or holds up the case. */
export interface Tape {
  /** The name of its file; undefined where nothing is recorded, or nothing worth keeping was when it broke. */
  readonly file: string | undefined;
  /** Copies the payload: it may change afterwards. */
  add(type: "observation" | "action", payload: Uint8Array): void;
  /** The case is over. Resolves when all is written. Nothing can be added any more. */
  end(result: CaseResult): Promise<void>;
}

/** What all tapes of a recorder share. */
export interface TapeHost {
  readonly folder: string;
  readonly shelf: Shelf;
  /** What all of them have in memory, since the disk has not taken it yet. */
  readonly waiting: { bytes: number; readonly mostBytes: number };
  monotonicMs(): number;
  /** Nothing is written to this file any more; `isWhole`: nothing went wrong. */
  onFinish(name: string, isWhole: boolean): void;
  onFault(fault: SortieError): void;
}

/**
 * Writes a session to its file, one entry after another, as fast as the disk takes them. One that breaks keeps what was
 * written up to its last whole entry; one that breaks before its first entry leaves no file.
 */
export class FileTape implements Tape {
  readonly #name: string;
  readonly #sid: Uint8Array;
  readonly #host: TapeHost;
  readonly #startedAtMs: number;
  #startBytes: number;
  /** What this gateway's own times are behind those of the recording that it goes on with. */
  #aheadUs = 0;
  #state: "recording" | "ending" | "broken" | "kept" | "gone" = "recording";
  #handle: FileHandle | undefined;
  /** So much of the file is whole entries. */
  #wholeBytes = 0;
  /** Resolves when all that was added so far is written. Never rejects. */
  #written: Promise<void> = Promise.resolve();

  /** `goesOn`: behind what the file holds of this session already, where it does. */
  constructor(name: string, info: RecordingInfo, host: TapeHost, goesOn = false) {
    this.#name = name;
    this.#sid = encodeSessionId(info.sessionId);
    this.#host = host;
    this.#startedAtMs = host.monotonicMs();
    host.shelf.begin(name, goesOn);
    const start = makeRecordingStart(info);
    this.#startBytes = start.length;
    if (goesOn) this.#written = this.#takeUp(start, Date.parse(info.startedAt));
    else this.#push(start);
  }

  get file(): string | undefined {
    return this.#state === "gone" ? undefined : this.#name;
  }

  add(type: "observation" | "action", payload: Uint8Array): void {
    // One that is too long is refused by the tunnel too.
    if (this.#state !== "recording" || payload.length > MAX_MESSAGE_BYTES) return;
    const { bytes, mostBytes } = this.#host.waiting;
    if (bytes + payload.length > mostBytes)
      this.#break(`the disk is too slow, and ${formatBytes(bytes)} wait for it already`);
    else this.#pushEntry(makeRecordingFrame({ type, timeUs: this.#nowUs(), sid: this.#sid, payload }));
  }

  async end({ score, steps, detail }: CaseResult): Promise<void> {
    if (this.#state === "recording")
      this.#pushEntry(makeRecordingEnd(this.#nowUs(), this.#sid, { score, steps, detail: detail ?? null }));
    await this.close();
  }

  /** Leaves the recording as it is, where it has no end yet. Resolves when all is written. */
  async close(): Promise<void> {
    if (this.#state === "recording") this.#enterLast("ending");
    await this.#written;
  }

  /** Goes no further: its file is gone, with the folder. */
  lose(): void {
    this.#break("the folder of recordings was removed");
  }

  #nowUs(): number {
    return (this.#host.monotonicMs() - this.#startedAtMs) * 1000;
  }

  /** Opens the file behind its last whole entry; one that is gone, or of no use, begins anew. Never rejects. */
  async #takeUp(start: Uint8Array, nowMs: number): Promise<void> {
    try {
      const tail = await this.#openTail();
      if (tail === undefined) {
        this.#host.waiting.bytes += start.length;
        return await this.#append(start);
      }
      this.#startBytes = tail.startBytes;
      this.#wholeBytes = tail.wholeBytes;
      // A clock that was set back meanwhile does not take the times back.
      this.#aheadUs = Math.max(tail.timeUs, (nowMs - tail.startedAtMs) * 1000);
    } catch (fault) {
      this.#break(describeFault(fault));
    }
  }

  async #openTail(): Promise<Tail | undefined> {
    const path = join(this.#host.folder, this.#name);
    if (!existsSync(path)) return undefined;
    this.#handle = await open(path, "r+");
    const tail = await findTail(this.#handle);
    await this.#handle.truncate(tail?.wholeBytes ?? 0);
    return tail;
  }

  #pushEntry(bytes: Uint8Array): void {
    this.#push(bytes, () => delayRecordingEntry(bytes, this.#aheadUs));
  }

  #push(bytes: Uint8Array, prepare?: () => void): void {
    this.#host.waiting.bytes += bytes.length;
    this.#written = this.#written.then(() => this.#append(bytes, prepare));
  }

  async #append(bytes: Uint8Array, prepare?: () => void): Promise<void> {
    try {
      prepare?.();
      if (this.#state === "recording" || this.#state === "ending") await this.#write(bytes);
    } catch (fault) {
      this.#break(describeFault(fault));
    } finally {
      this.#host.waiting.bytes -= bytes.length;
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (!(await this.#host.shelf.reserve(this.#name, bytes.length)))
      return this.#break("all recordings together may not be larger, and there is no older one to remove");
    const fault = await findReserveFault(this.#host.folder, bytes.length);
    if (fault !== undefined) return this.#break(fault);
    this.#handle ??= await open(join(this.#host.folder, this.#name), "w", 0o600);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(
        ...[bytes, done, bytes.length - done, this.#wholeBytes + done],
      );
      done += bytesWritten;
    }
    this.#wholeBytes += bytes.length;
  }

  #break(reason: string): void {
    if (this.#state !== "recording" && this.#state !== "ending") return;
    this.#enterLast("broken");
    this.#host.onFault(new SortieError("recording_broken", { file: this.#name, reason }));
  }

  /** Nothing is added from now on; the file is put in order behind what is being written. */
  #enterLast(state: "ending" | "broken"): void {
    this.#state = state;
    this.#written = this.#written.then(() => this.#finish());
  }

  async #finish(): Promise<void> {
    if (this.#state === "kept" || this.#state === "gone") return;
    const isWhole = this.#state === "ending";
    const isKept = this.#wholeBytes > this.#startBytes && existsSync(join(this.#host.folder, this.#name));
    try {
      if (!isWhole) await this.#handle?.truncate(this.#wholeBytes);
      await this.#handle?.close();
      if (!isKept) await rm(join(this.#host.folder, this.#name), { force: true });
    } catch {
      // A torn tail is left, or a file without an entry: both are read as what they are.
    }
    this.#state = isKept ? "kept" : "gone";
    this.#host.shelf.end(this.#name, isKept ? this.#wholeBytes : 0);
    this.#host.onFinish(this.#name, isWhole);
  }
}

/** Records nothing. */
export const noTape: Tape = { file: undefined, add: () => undefined, end: async () => undefined };
