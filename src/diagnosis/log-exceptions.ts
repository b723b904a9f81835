/** A Python exception in a log: the line that names it, below the frames that it went through. */
export interface LoggedException {
  readonly line: string;
  readonly index: number;
  /** Where its traceback begins. */
  readonly startsAt: number;
}

const HEADER = "Traceback (most recent call last):";
const EXCEPTION = /^[A-Za-z_][\w.]*(:|$)/;
const FRAME = /^ {2}File "/;
/** Raised by the launcher of a program, about the exception that its process has printed before. */
const LAUNCHER = /^(torch\.distributed\.[\w.]*ChildFailedError|subprocess\.CalledProcessError)\b/;

/** The program's own exceptions in order, and the line at which what its launchers add begins. */
export function findExceptions(lines: readonly string[]): {
  exceptions: LoggedException[];
  endsAt: number;
} {
  const exceptions: LoggedException[] = [];
  let endsAt = lines.length;
  for (let index = 1; index < lines.length; index += 1) {
    const found = readException(lines, index);
    if (found === null) continue;
    const isIgnored = lines[found.startsAt - 1]?.startsWith("Exception ignored in");
    const isLauncher = exceptions.length > 0 && LAUNCHER.test(found.line);
    if (isIgnored) endsAt = Math.min(endsAt, found.startsAt - 1);
    else if (isLauncher) endsAt = Math.min(endsAt, found.startsAt);
    else {
      exceptions.push(found);
      endsAt = lines.length;
    }
  }
  return { exceptions, endsAt };
}

/** The frames above are indented, and begin with a header or, for a syntax error, with a file. */
function readException(lines: readonly string[], index: number): LoggedException | null {
  const line = lines[index] as string;
  if (!EXCEPTION.test(line)) return null;
  let start = index;
  while (isFrameLine(lines[start - 1])) start -= 1;
  if (start === index) return null;
  if (lines[start - 1]?.endsWith(HEADER)) return { line, index, startsAt: start - 1 };
  // Where the text begins in the middle of a traceback its header is missing.
  const above = start === 0 ? lines.slice(0, index) : lines.slice(start, start + 1);
  return above.some((text) => FRAME.test(text)) ? { line, index, startsAt: start } : null;
}

/** A header may stand behind a progress bar, which is indented too. */
function isFrameLine(line: string | undefined): boolean {
  return line !== undefined && /^\s+\S/.test(line) && !line.endsWith(HEADER);
}
