/**
 * Prints one line of a benchmark's table; whether it keeps its promise. `most`: what is promised; without it the line is for information.
 * @param {{label: string, figure: number, unit: string, p10?: number, p90?: number, most?: number, detail?: string}} line
 */
export function printLine({ label, figure, unit, p10, p90, most, detail }) {
  const range = p10 === undefined ? "" : `  (p10 ${format(p10)}, p90 ${format(p90)})`;
  const verdict =
    most === undefined ? "" : `  at most ${most}${unit}: ${figure <= most ? "holds" : "MISSED"}`;
  console.log(
    `  ${label.padEnd(46)}${`${format(figure)}${unit}`.padStart(9)}${range}${verdict}${detail ? `  ${detail}` : ""}`,
  );
  return most === undefined || figure <= most;
}

function format(value) {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(1);
}
