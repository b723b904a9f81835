/** How much of a list one `printf` prints; shells take lines of any length, but are slow with very long ones. */
const BYTES_A_LINE = 8192;

/**
 * A shell function that prints a list of paths, each with a zero byte behind it, byte for byte: paths need not be text,
 * and shell text holds no zero bytes. `files` is such a list; the last may lack its zero byte.
 */
export function makeListFunction(files: Uint8Array): string {
  const list = files.length === 0 || files.at(-1) === 0 ? files : Buffer.concat([files, Buffer.from([0])]);
  const lines: string[] = [];
  for (let at = 0; at < list.length; at += BYTES_A_LINE) {
    const escaped = Array.from(list.subarray(at, at + BYTES_A_LINE), escapeByte).join("");
    lines.push(`  printf '${escaped}'\n`);
  }
  return `list_files() {\n  :\n${lines.join("")}}\n`;
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9/._]/.test(character) ? character : `\\${byte.toString(8).padStart(3, "0")}`;
}
