const MOST_CHARACTERS = 60;

/** What somebody typed, in quotes for a message; what is long is cut. */
export function quoteInput(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= MOST_CHARACTERS) return JSON.stringify(text);
  const start = JSON.stringify(`${characters.slice(0, MOST_CHARACTERS).join("")}…`);
  return `${start} (${characters.length} characters)`;
}
