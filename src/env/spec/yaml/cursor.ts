/** Stands behind the last character of every text; the text itself cannot hold it. */
export const END = "\0";

const BREAKS = "\r\n\u0085\u2028\u2029";

export function isBreak(char: string): boolean {
  return BREAKS.includes(char);
}

export function isBreakOrEnd(char: string): boolean {
  return char === END || isBreak(char);
}

/** A blank for indentation is the space alone: a tab is no blank there. */
export function isSpaceOrEnd(char: string): boolean {
  return char === " " || isBreakOrEnd(char);
}

export function isBlankOrEnd(char: string): boolean {
  return char === "\t" || isSpaceOrEnd(char);
}

/** A place in a text, counted in characters (code points), with its line and column from 0 on. */
export class Cursor {
  index = 0;
  line = 0;
  column = 0;
  readonly #chars: readonly string[];

  constructor(text: string) {
    this.#chars = [...text, END];
  }

  peek(ahead = 0): string {
    return this.#chars[this.index + ahead] ?? END;
  }

  /** The next characters, and goes behind them. */
  take(count: number): string {
    const taken = this.#chars.slice(this.index, this.index + count).join("");
    this.skip(count);
    return taken;
  }

  /** Takes characters up to the first that does not fit. */
  takeWhile(fits: (char: string) => boolean): string {
    let count = 0;
    while (this.peek(count) !== END && fits(this.peek(count))) count += 1;
    return this.take(count);
  }

  skip(count = 1): void {
    for (let left = count; left > 0; left -= 1) {
      const char = this.peek();
      this.index += 1;
      if (isBreak(char) && !(char === "\r" && this.peek() === "\n")) {
        this.line += 1;
        this.column = 0;
      } else if (char !== "\ufeff") this.column += 1;
    }
  }

  skipSpaces(): void {
    while (this.peek() === " ") this.skip();
  }

  skipComment(): void {
    if (this.peek() === "#") this.takeWhile((char) => !isBreak(char));
  }

  /** Goes behind a line break, if one stands here; the two Unicode separators stay what they are, others become `\n`. */
  takeBreak(): string {
    const char = this.peek();
    if (!isBreak(char)) return "";
    this.skip(char === "\r" && this.peek(1) === "\n" ? 2 : 1);
    return char === "\u2028" || char === "\u2029" ? char : "\n";
  }

  /** Whether `---` or `...` stands here, which at the beginning of a line parts documents. */
  isAtDocumentMark(mark?: "-" | "."): boolean {
    const first = this.peek();
    if (mark === undefined ? first !== "-" && first !== "." : first !== mark) return false;
    return this.peek(1) === first && this.peek(2) === first && isBlankOrEnd(this.peek(3));
  }
}
