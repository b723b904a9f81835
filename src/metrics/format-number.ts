const DIGITS = 4;

/** A number for people: four digits that count, `1.2e-5` where it is far from 1; empty for none. */
export function formatNumber(value: number | null): string {
  if (value === null) return "";
  if (!Number.isFinite(value)) return String(value).replace("Infinity", "inf");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) return shortenExponent(value.toExponential(DIGITS - 1));
  if (size >= 10 ** (DIGITS - 1)) return String(Math.round(value));
  return String(Number(value.toPrecision(DIGITS)));
}

/** With its sign, for a difference. */
export function formatDelta(value: number | null): string {
  return value === null || Number.isNaN(value) || value < 0 ? formatNumber(value) : `+${formatNumber(value)}`;
}

/** `1.200e-5` is `1.2e-5`. */
function shortenExponent(text: string): string {
  return text.replace(/\.?0+e/, "e").replace("e+", "e");
}
