/** For an option that may stand several times: its words so far and this one. */
export function addWord(word: string, before: readonly string[] = []): string[] {
  return [...before, word];
}
