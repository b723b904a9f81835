/** The last traceback of a Python program, to the line that names the exception; null: there is none. */
export function findLastTraceback(text: string): string[] | null {
  const lines = splitLines(text);
  const first = lines.findLastIndex((line) => line.includes(OPENING));
  if (first === -1) return null;
  // Chained exceptions are one story: the part before belongs to it.
  const indent = (lines[first] as string).indexOf(OPENING);
  const end = lines.findIndex((line, at) => at > first && isExceptionLine(line.slice(indent)));
  const traceback = lines.slice(first, end === -1 ? undefined : end + 1);
  return traceback.length <= MOST_LINES
    ? traceback
    : [...traceback.slice(0, 2), "  …", ...traceback.slice(3 - MOST_LINES)];
}

const OPENING = "Traceback (most recent call last):";
const MOST_LINES = 40;
const LAST_LINES = 20;

/** Not indented, as the frames are, and not empty. */
function isExceptionLine(line: string): boolean {
  return /^[A-Za-z_]/.test(line);
}

/** The last lines of a text, without the empty ones at its end. */
export function findLastLines(text: string, most = LAST_LINES): string[] {
  const lines = splitLines(text);
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  return lines.slice(Math.max(0, end - most), end);
}

function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}
