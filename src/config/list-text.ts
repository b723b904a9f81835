/** A quoted entry of a list, up to the white space or comma that ends it. */
const QUOTED = /(?<=^|[\s,[])(?:"[^"]*"|'[^']*'|“[^”]*”|`[^`]*`)(?=$|[\s,\]])/.source;

/**
 * The entries of a list in one line, with or without brackets: between commas, or between spaces where there are none.
 * Quotes round an entry make it one, whatever it holds, and are dropped; `readPlain` reads an entry without them.
 */
export function splitList(text: string, readPlain = (entry: string) => entry): string[] {
  const line = text.trim();
  const inner = /^\[(.*)\]$/.exec(line)?.[1] ?? line;
  const hasCommas = inner.replace(new RegExp(QUOTED, "g"), "").includes(",");
  const entries = inner.match(new RegExp(`(?:${QUOTED}|[^${hasCommas ? "," : "\\s"}])+`, "g")) ?? [];
  return entries.map((entry) => unquote(entry.trim(), readPlain)).filter((entry) => entry !== "");
}

/** The list without what follows the first `#` that begins a word outside quotes. */
export function cutListComment(text: string): string {
  return text.replace(new RegExp(`(${QUOTED})|(?<=^|\\s)#.*`, "g"), (_, quoted?: string) => quoted ?? "");
}

function unquote(entry: string, readPlain: (entry: string) => string): string {
  const quoted = /^(?:(["'`])(.*)\1|“(.*)”)$/.exec(entry);
  return quoted ? (quoted[2] ?? quoted[3] ?? "") : readPlain(entry);
}
