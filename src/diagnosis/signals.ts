/** Signals by number, as far as they end programs; the same on Linux and macOS but for BUS, which is Linux's here. */
const NAMES: Readonly<Record<number, string>> = {
  1: "HUP",
  2: "INT",
  3: "QUIT",
  4: "ILL",
  6: "ABRT",
  7: "BUS",
  8: "FPE",
  9: "KILL",
  11: "SEGV",
  13: "PIPE",
  15: "TERM",
  24: "XCPU",
  25: "XFSZ",
};

/** The signal's name without SIG, from what was recorded or from an exit code over 128; null where there is none. */
export function findSignal(signal: string | null, exitCode: number | null): string | null {
  if (signal !== null) return signal.replace(/^SIG/, "");
  if (exitCode === null || exitCode <= 128 || exitCode > 192) return null;
  return NAMES[exitCode - 128] ?? String(exitCode - 128);
}
