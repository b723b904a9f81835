/** The command under which even root is held to the modes of files, as everybody else is. */
export function withoutRootPower(argv: readonly string[]): string[] {
  if (process.getuid?.() !== 0) return [...argv];
  return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", ...argv];
}
