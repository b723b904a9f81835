/** Median and the range in which eight of ten values lie. */
export function describeValues(values) {
  return { median: findShare(values, 0.5), p10: findShare(values, 0.1), p90: findShare(values, 0.9) };
}

/** The value below which this share of them lies. */
export function findShare(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The same of the ratio to a base, taken round by round: what slowed a whole round down falls out. */
export function describeRatios(values, base) {
  return describeValues(values.map((value, round) => value / base[round]));
}

/** The same of the difference from a base, round by round. */
export function describeDifferences(values, base) {
  return describeValues(values.map((value, round) => value - base[round]));
}
