/** The fields of a JSON object, or what is wrong: the parser's own words quote the text, which may hold secrets. */
export function parseJsonObject(
  text: string,
): { readonly fields: Readonly<Record<string, unknown>> } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { fields: value as Record<string, unknown> };
    }
    return { fault: "there is no JSON object in it" };
  } catch (fault) {
    if (text.trim() === "") return { fault: "it is empty" };
    return { fault: `it is no JSON${findPlace(text, String(fault))}` };
  }
}

/** From `… at position 17`; a text that ends too soon has no position. */
function findPlace(text: string, words: string): string {
  const position = Number(/at position (\d+)/.exec(words)?.[1] ?? Number.NaN);
  if (Number.isNaN(position)) return /end of JSON|Unterminated/i.test(words) ? ", it breaks off" : "";
  return ` (line ${text.slice(0, position).split("\n").length})`;
}
