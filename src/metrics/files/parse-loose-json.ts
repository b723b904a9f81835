/** Python writes these words into JSON; in a text they are text, also in one without an end, which is looked at once. */
const WORDS = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\b(?:NaN|Infinity)\b/gs;

/** JSON as Python writes it, with `NaN` and `Infinity` as the texts of these names; undefined where it is no JSON. */
export function parseLooseJson(text: string): unknown {
  return tryParse(() => text) ?? tryParse(() => text.replace(WORDS, quoteWord));
}

function quoteWord(word: string): string {
  return word.startsWith('"') ? word : `"${word}"`;
}

function tryParse(makeText: () => string): unknown {
  try {
    return JSON.parse(makeText());
  } catch {
    return undefined; // half written, no JSON at all, or nested too deep
  }
}
