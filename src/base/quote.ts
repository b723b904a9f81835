/**
 * Quotes one argument for any POSIX shell, so that the program receives it byte for byte. The only place in
 * Sortie that turns data into shell text. NUL cannot be part of an argument and must be refused before.
 */
export function quoteShell(argument: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** An argument list as shell text. */
export function quoteCommand(argv: readonly string[]): string {
  return argv.map(quoteShell).join(" ");
}

/** A path on a host as shell text; `~/` at its beginning stands for the home folder there. */
export function quotePath(path: string): string {
  if (path === "~") return '"$HOME"';
  return path.startsWith("~/") ? `"$HOME"/${quoteShell(path.slice(2))}` : quoteShell(path);
}
