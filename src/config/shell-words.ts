/** The words of a command with its quotes and backslashes removed, nothing expanded; null if a quote stays open. */
export function splitShellWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === null && (character === "'" || character === '"')) {
      quote = character;
      word ??= "";
    } else if (character === quote) {
      quote = null;
    } else if (character === "\\" && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? "") + text[at];
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
