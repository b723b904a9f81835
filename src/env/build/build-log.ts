import { StringDecoder } from "node:string_decoder";

/** The step that a build is at. */
export interface StepReached {
  readonly number: number;
  readonly total: number;
  /** As in `pip 2`. */
  readonly name: string;
}

const TAIL_LINES = 60;
const LONGEST_LINE = 4000;

/** A log that comes in pieces, which may end within a line or within a character of several bytes. */
export class BuildLog {
  #decoder = new StringDecoder("utf8");
  #rest = "";
  #bytes = 0;
  #tail: string[] = [];
  #step: StepReached | null = null;

  /** How many bytes have come. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Null: none is known yet. */
  get step(): StepReached | null {
    return this.#step;
  }

  /** The last lines. */
  get tail(): readonly string[] {
    return this.#tail;
  }

  /** The lines that this piece has made whole; with `isLast`, what is left of the log counts as one, too. */
  add(piece: Buffer, isLast: boolean): string[] {
    this.#bytes += piece.length;
    const text = this.#rest + this.#decoder.write(piece) + (isLast ? this.#decoder.end() : "");
    const lines = text.split(/\r?\n/);
    this.#rest = isLast ? "" : cutRest(lines.pop() ?? "");
    const whole = (isLast && lines.at(-1) === "" ? lines.slice(0, -1) : lines).map(shorten);
    this.#step = whole.reduce((step, line) => parseStep(line) ?? step, this.#step);
    this.#tail = [...this.#tail, ...whole].slice(-TAIL_LINES);
    return whole;
  }
}

/** Of a line that a progress bar has written over, what stood there in the end. */
function shorten(line: string): string {
  return line.slice(line.lastIndexOf("\r") + 1).slice(0, LONGEST_LINE);
}

/** Of a line that has not ended yet, what can still count of it: a progress bar may write over one for hours. */
function cutRest(rest: string): string {
  // At the very end it may belong to the line's end.
  const line = rest.slice(rest.lastIndexOf("\r", rest.length - 2) + 1);
  return line.length <= LONGEST_LINE ? line : line.slice(0, LONGEST_LINE) + (line.endsWith("\r") ? "\r" : "");
}

function parseStep(line: string): StepReached | null {
  const [, number, total, name] = /^sortie: step (\d+)\/(\d+): (.+)$/.exec(line) ?? [];
  return name === undefined ? null : { number: Number(number), total: Number(total), name };
}
