/** A word as a shell reads it, from `at` to `end`. */
export interface ShellValue {
  readonly value: string;
  readonly end: number;
}

/** Its text, or null where the quote is never closed or something would be expanded. */
type Part = { readonly bytes: Uint8Array; readonly end: number } | null;

const encoder = new TextEncoder();

/**
 * Reads one word of shell text: bare, 'single', "double" and $'escaped' parts in any order, over several lines where a
 * quote is open. Nothing is expanded: a word with `$NAME` or a command in it is null, since only a shell knows its value.
 */
export function readShellValue(text: string, at: number): ShellValue | null {
  const parts: Uint8Array[] = [];
  let place = at;
  while (place < text.length && !/[\s;&|<>()]/.test(text[place] as string)) {
    const part = readPart(text, place);
    if (part === null) return null;
    parts.push(part.bytes);
    place = part.end;
  }
  return { value: new TextDecoder().decode(joinBytes(parts)), end: place };
}

function readPart(text: string, at: number): Part {
  if (text[at] === "'") return readUpTo(text, at + 1, "'", () => null);
  if (text[at] === '"') return readUpTo(text, at + 1, '"', readInDouble);
  if (text.startsWith("$'", at)) return readUpTo(text, at + 2, "'", readInEscaped);
  if (text.startsWith('$"', at)) return readUpTo(text, at + 2, '"', readInDouble);
  if (text[at] === "\\") return readBareEscape(text, at);
  return isExpanded(text, at) ? null : takeCharacter(text, at);
}

/** `special` reads what is more than itself at a place: a part, null where it is nothing special, `bad` where it is refused. */
function readUpTo(
  text: string,
  from: number,
  quote: string,
  special: (text: string, at: number) => Part | "bad",
): Part {
  const parts: Uint8Array[] = [];
  let place = from;
  while (place < text.length) {
    if (text[place] === quote) return { bytes: joinBytes(parts), end: place + 1 };
    const read = special(text, place) ?? takeCharacter(text, place);
    if (read === "bad") return null;
    parts.push(read.bytes);
    place = read.end;
  }
  return null;
}

function readInDouble(text: string, at: number): Part | "bad" {
  if (isExpanded(text, at)) return "bad";
  if (text[at] !== "\\" || !/[$`"\\\n]/.test(text[at + 1] ?? "")) return null;
  return readBareEscape(text, at);
}

/** A backslash before the end of a line takes both away. */
function readBareEscape(text: string, at: number): Part {
  if (text[at + 1] === "\n") return { bytes: new Uint8Array(), end: at + 2 };
  return at + 1 < text.length ? takeCharacter(text, at + 1) : null;
}

const LETTERS: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27, E: 27 },
  ...{ "\\": 92, "'": 39, '"': 34, "?": 63 },
};

/** The escapes of `$'…'`, as `printf %q` of bash writes them: `\n`, `\303`, `\xe9`, `\u00e9`. */
function readInEscaped(text: string, at: number): Part | "bad" {
  if (text[at] !== "\\") return null;
  const letter = text[at + 1] ?? "";
  const plain = LETTERS[letter];
  if (plain !== undefined) return { bytes: Uint8Array.of(plain), end: at + 2 };
  const [whole, octal, hex, short, long] =
    /^\\(?:([0-7]{1,3})|x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8}))/i.exec(text.slice(at, at + 10)) ??
    [];
  if (whole === undefined) return null;
  const end = at + whole.length;
  const point = short ?? long;
  if (point !== undefined) return readPoint(Number.parseInt(point, 16), end);
  const byte = octal === undefined ? Number.parseInt(hex as string, 16) : Number.parseInt(octal, 8) & 255;
  return byte === 0 ? "bad" : { bytes: Uint8Array.of(byte), end };
}

function readPoint(point: number, end: number): Part | "bad" {
  if (point === 0 || point > 0x10ffff) return "bad";
  return { bytes: encoder.encode(String.fromCodePoint(point)), end };
}

function isExpanded(text: string, at: number): boolean {
  return text[at] === "`" || /^\$[\w{(@*#?$!-]/.test(text.slice(at, at + 2));
}

function takeCharacter(text: string, at: number): { bytes: Uint8Array; end: number } {
  const character = String.fromCodePoint(text.codePointAt(at) as number);
  return { bytes: encoder.encode(character), end: at + character.length };
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    joined.set(part, place);
    place += part.length;
  }
  return joined;
}
