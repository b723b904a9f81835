import { quoteCommand } from "../../base/quote.ts";

/** Words that no login shell changes, whichever it is. */
const PLAIN_WORD = /^[A-Za-z0-9_./,:+-]+$/;

/**
 * An argument list as the one command line that ssh hands to the login shell of the host: sh, bash, dash, zsh, fish,
 * csh and tcsh all pass it on byte for byte. What is not plain travels as octal numbers to `sh`, so that no shell on
 * the way sees a quote, a newline or an exclamation mark of it. For short commands: each byte becomes five.
 */
export function encodeCommand(argv: readonly string[]): string {
  if (argv.every((word) => PLAIN_WORD.test(word))) return `exec ${argv.join(" ")}`;
  return encodeScript(`exec ${quoteCommand(argv)}`);
}

/** A line of POSIX shell text in the same way; its exit code is that of the whole. */
export function encodeScript(text: string): string {
  const octal = [...Buffer.from(text)].map((byte) => `/0${byte.toString(8).padStart(3, "0")}`).join("");
  return `exec sh -c 'eval "$(printf %b "$(printf %s "$0" | tr / "\\134")")"' ${octal}`;
}
