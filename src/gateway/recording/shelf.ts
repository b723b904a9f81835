import { readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRecordingName } from "./recording-name.ts";

interface Shelved {
  readonly bytes: number;
  /** It is being written, or could not be removed: it stays. */
  readonly stays: boolean;
}

/**
 * All recordings in a folder, kept under a size. The oldest that has ended goes first, by the time of its end, even where it
 * is the only one: what is played now is worth more. One that is being written never goes for another's sake.
 */
export class Shelf {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** The oldest first. */
  readonly #files = new Map<string, Shelved>();
  #bytes = 0;
  /** Of those that stay. */
  #stayingBytes = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** Counts what is there, and removes what is too much. Throws what the file system does where the folder cannot be read. */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    for (const [name, { size }] of listByAge(folder)) this.#put(name, { bytes: size, stays: false });
    this.#turn = this.#removeOldest(0);
  }

  /** Of all recordings together, with what is reserved for those that are being written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A recording of this name begins, in the place of an earlier one, or goes on with it. */
  begin(name: string, goesOn: boolean): void {
    const earlier = this.#drop(name);
    this.#put(name, { bytes: goesOn ? (earlier?.bytes ?? 0) : 0, stays: true });
  }

  /**
   * Makes room for so many bytes more of a recording; false where there is none, and then nothing was removed. Never
   * rejects.
   */
  reserve(name: string, bytes: number): Promise<boolean> {
    const turn = this.#turn.then(() => this.#makeRoom(name, bytes));
    this.#turn = turn;
    return turn;
  }

  /** A recording goes no further, and has so many bytes; 0: its file is gone. */
  end(name: string, bytes: number): void {
    this.#drop(name);
    if (bytes > 0) this.#put(name, { bytes, stays: false });
  }

  /** The folder was removed, and what had ended with it. */
  forget(): void {
    for (const [name, { stays }] of this.#files) if (!stays) this.#drop(name);
  }

  /** Resolves when nothing is being removed any more. */
  async settle(): Promise<void> {
    await this.#turn;
  }

  async #makeRoom(name: string, bytes: number): Promise<boolean> {
    if (this.#stayingBytes + bytes > this.#maxBytes) return false;
    await this.#removeOldest(bytes);
    const own = this.#files.get(name);
    if (own === undefined || this.#bytes + bytes > this.#maxBytes) return false;
    this.#files.set(name, { ...own, bytes: own.bytes + bytes });
    this.#bytes += bytes;
    this.#stayingBytes += bytes;
    return true;
  }

  async #removeOldest(bytes: number): Promise<void> {
    for (const [name, { stays }] of this.#files) {
      if (this.#bytes + bytes <= this.#maxBytes) return;
      if (!stays) await this.#remove(name);
    }
  }

  async #remove(name: string): Promise<void> {
    try {
      await rm(join(this.#folder, name), { force: true });
      this.#drop(name);
    } catch {
      const { bytes } = this.#drop(name) as Shelved;
      this.#put(name, { bytes, stays: true }); // it cannot be removed: it counts, and others have to go
    }
  }

  #put(name: string, shelved: Shelved): void {
    this.#files.set(name, shelved);
    this.#bytes += shelved.bytes;
    if (shelved.stays) this.#stayingBytes += shelved.bytes;
  }

  #drop(name: string): Shelved | undefined {
    const shelved = this.#files.get(name);
    this.#files.delete(name);
    this.#bytes -= shelved?.bytes ?? 0;
    if (shelved?.stays) this.#stayingBytes -= shelved.bytes;
    return shelved;
  }
}

function listByAge(folder: string) {
  const found = readdirSync(folder)
    .filter(isRecordingName)
    .flatMap((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [[name, stats] as const] : [];
    });
  return found.sort(([, one], [, other]) => one.mtimeMs - other.mtimeMs);
}
