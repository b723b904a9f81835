/**
 * Text from outside with its control characters made visible (`\x1b` for escape), so that a log, a file name or a
 * vendor's reply cannot move the cursor or change the terminal. Tab and newline stay.
 */
export function makePrintable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not pass
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}
