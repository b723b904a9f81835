/** A line longer than twice this is shown by its two ends. */
const END_LENGTH = 8 * 1024;
const LONGEST = 4 * END_LENGTH;

/**
 * Folds progress bars for people: of a line that was written over by carriage returns, only what stands there in
 * the end is kept. Lines come as they are completed; `rest` is the last, still growing one. Memory is bounded,
 * however long a line is.
 */
export class LogFolder {
  readonly #decoder = new TextDecoder("utf-8");
  #head = "";
  #dropped = 0;
  #rest = "";

  /** The lines that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    const lines = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const growing = lines.pop() as string;
    if (lines.length > 0) {
      this.#append(lines[0] as string);
      lines[0] = this.#join();
      this.#reset();
    }
    for (let index = 1; index < lines.length; index += 1) lines[index] = foldLine(lines[index] as string);
    this.#append(growing);
    return lines;
  }

  /** The line that is being written: of a progress bar, its newest state. */
  get rest(): string {
    return this.#join();
  }

  #append(text: string): void {
    this.#rest += text;
    // A return at the very end may be followed by the next state, or by the newline.
    const at = this.#rest.lastIndexOf("\r", this.#rest.length - 2);
    if (at !== -1) {
      const before = this.#rest.slice(0, at);
      const now = this.#rest.slice(at + 1);
      const blank = now.trim() === "";
      this.#reset();
      this.#rest = blank ? `${foldLine(before)}\r${now}` : now;
    }
    if (this.#rest.length <= LONGEST) return;
    if (this.#head === "") {
      this.#head = this.#rest.slice(0, END_LENGTH);
      this.#rest = this.#rest.slice(END_LENGTH);
    }
    this.#dropped += this.#rest.length - END_LENGTH;
    this.#rest = this.#rest.slice(-END_LENGTH);
  }

  #join(): string {
    if (this.#dropped === 0) return foldLine(this.#head + this.#rest);
    return `${this.#head} [… ${this.#dropped} characters left out …] ${foldLine(this.#rest)}`;
  }

  #reset(): void {
    this.#head = "";
    this.#dropped = 0;
    this.#rest = "";
  }
}

/** All lines of a piece of log, folded. */
export function foldText(bytes: Uint8Array): string[] {
  const folder = new LogFolder();
  const lines = folder.push(bytes);
  return folder.rest === "" ? lines : [...lines, folder.rest];
}

function foldLine(line: string): string {
  const shown = line.includes("\r") ? findShown(line) : line;
  if (shown.length <= LONGEST) return shown;
  const left = shown.length - 2 * END_LENGTH;
  return `${shown.slice(0, END_LENGTH)} [… ${left} characters left out …] ${shown.slice(-END_LENGTH)}`;
}

function findShown(line: string): string {
  return line.split("\r").findLast((segment) => segment.trim() !== "") ?? "";
}
