const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** The bytes of a path as git prints it: as it is, or in double quotes with escapes where it has odd bytes. */
export function parseGitPath(printed: string): Buffer {
  if (!printed.startsWith('"')) return Buffer.from(printed);
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of printed
    .slice(1, -1)
    .matchAll(/\\([0-7]{3})|\\([abtnvfr"\\])|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] as number);
    else bytes.push(...Buffer.from(plain as string));
  }
  return Buffer.from(bytes);
}
