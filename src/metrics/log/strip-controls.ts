/** Escape sequences: colours and cursor moves, titles of windows, and the short ones; and what deletes or rings. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])|[\u0000-\u0008\u007f]/g;

/** A line as a terminal shows it: without what moves the cursor and sets colours. */
export function stripControls(line: string): string {
  if (!line.includes("\u001b") && !line.includes("\b") && !line.includes("\u0000")) return line;
  return line.replace(SEQUENCES, "");
}
