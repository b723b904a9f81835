/** Python turns no longer texts into numbers, nor such numbers into text. */
const MAX_DIGITS = 4300;

/** What PyYAML makes of the text of an integer; null where Python raises an error. */
export function parsePythonInt(text: string): bigint | null {
  const { isNegative, digits } = parseSign(text.replaceAll("_", ""));
  const value = parseInteger(digits);
  if (value === null || (value < 0n ? -value : value).toString().length > MAX_DIGITS) return null;
  return isNegative ? -value : value;
}

/** The same for a float; minus zero, infinity and NaN are floats, too. */
export function parsePythonFloat(text: string): number | null {
  const { isNegative, digits } = parseSign(text.replaceAll("_", "").toLowerCase());
  const value = parseFloatDigits(digits);
  if (value === null) return null;
  return isNegative ? -value : value;
}

function parseSign(text: string): { isNegative: boolean; digits: string } {
  return { isNegative: text.startsWith("-"), digits: /^[-+]/.test(text) ? text.slice(1) : text };
}

function parseInteger(text: string): bigint | null {
  if (text === "") return null;
  if (text === "0") return 0n;
  if (text.startsWith("0b")) return parseDigits(text.slice(2), 2);
  if (text.startsWith("0x")) return parseDigits(text.slice(2), 16);
  if (text.startsWith("0")) return parseDigits(text, 8);
  if (!text.includes(":")) return parseDigits(text, 10);
  return addUpSixties(
    text,
    (part) => parseDigits(part, 10),
    0n,
    (sum, digit, unit) => sum + digit * unit,
  );
}

const PREFIXES = { 2: "0b", 8: "0o", 10: "", 16: "0x" } as const;
const DIGITS = { 2: /^[01]+$/, 8: /^[0-7]+$/, 10: /^[0-9]+$/, 16: /^[0-9a-f]+$/i } as const;

/** Python's `int(text, base)`: blanks around it, one sign and the base's own prefix are allowed. */
function parseDigits(text: string, base: 2 | 8 | 10 | 16): bigint | null {
  const { isNegative, digits } = parseSign(plainAsPython(text));
  const prefix = PREFIXES[base];
  const bare = prefix !== "" && digits.toLowerCase().startsWith(prefix) ? digits.slice(2) : digits;
  if (!DIGITS[base].test(bare) || (base === 10 && bare.length > MAX_DIGITS)) return null;
  const value = BigInt(prefix + bare);
  return isNegative ? -value : value;
}

function parseFloatDigits(text: string): number | null {
  if (text === ".inf") return Number.POSITIVE_INFINITY;
  if (text === ".nan") return Number.NaN;
  if (!text.includes(":")) return parseFloatText(text);
  return addUpSixties(text, parseFloatText, 0, (sum, digit, unit) => {
    const size = Number(unit);
    return Number.isFinite(size) ? sum + digit * size : null;
  });
}

/** Python's `float(text)`; the text is in small letters. */
function parseFloatText(text: string): number | null {
  const { isNegative, digits } = parseSign(plainAsPython(text));
  let value: number;
  if (digits === "inf" || digits === "infinity") value = Number.POSITIVE_INFINITY;
  else if (digits === "nan") value = Number.NaN;
  else if (/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(digits)) value = Number(digits);
  else return null;
  return isNegative ? -value : value;
}

/** `1:30` is 90: the last part counts once, the one before it sixty times, and so on. */
function addUpSixties<Value>(
  text: string,
  parse: (part: string) => Value | null,
  zero: Value,
  add: (sum: Value, digit: Value, unit: bigint) => Value | null,
): Value | null {
  let unit = 1n;
  let sum: Value | null = zero;
  for (const part of text.split(":").reverse()) {
    const digit = parse(part);
    if (digit === null || sum === null) return null;
    sum = add(sum, digit, unit);
    unit *= 60n;
  }
  return sum;
}

/** As Python's `int` and `float` see a text: without blanks around it, and with the digits of any script as ours. */
function plainAsPython(text: string): string {
  const chars = [...text];
  while (isPythonBlank(chars[0])) chars.shift();
  while (isPythonBlank(chars.at(-1))) chars.pop();
  return chars.map((char) => (/[^0-9]/.test(char) && isDigit(char) ? findDigit(char) : char)).join("");
}

function isPythonBlank(char: string | undefined): boolean {
  return char !== undefined && char !== "\ufeff" && /[\s\u0085]/.test(char);
}

/** The digits of a script stand in a row that begins with its zero. */
function findDigit(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let first = code;
  while (isDigit(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

function isDigit(char: string): boolean {
  return /^\p{Nd}$/u.test(char);
}
