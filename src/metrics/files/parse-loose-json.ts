/** Python writes these words into JSON; in a text they are text. */
const WORDS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** JSON as Python writes it, with `NaN` and `Infinity` as the texts of these names; undefined where it is no JSON. */
export function parseLooseJson(text: string): unknown {
  return (
    tryParse(text) ?? tryParse(text.replace(WORDS, (word) => (word.startsWith('"') ? word : `"${word}"`)))
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // half written, or no JSON at all
  }
}
