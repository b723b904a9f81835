/** Median and the range in which eight of ten values lie. */
export function describeValues(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p10: at(0.1), p90: at(0.9) };
}

/** The same of the ratio to a base, taken round by round: what slowed a whole round down falls out. */
export function describeRatios(values, base) {
  return describeValues(values.map((value, round) => value / base[round]));
}

/** The same of the difference from a base, round by round. */
export function describeDifferences(values, base) {
  return describeValues(values.map((value, round) => value - base[round]));
}
