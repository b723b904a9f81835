import { describeRatios, findShare } from "../quantiles.mjs";

const sum = (times) => times.reduce((total, time) => total + time, 0);
const mean = (times) => sum(times) / times.length;
const median = (times) => findShare(times, 0.5);

/** A table of one size: a line a path. `results`: the milliseconds of every call, in rounds. */
export function printPaths(title, results, names) {
  const columns = ["p50 ms", "p99 ms", "frames/s", "× nginx", "× websockets"];
  console.log(`\n  ${title.padEnd(44)}${columns.map((column) => column.padStart(13)).join("")}`);
  for (const [path, rounds] of Object.entries(results)) {
    const times = rounds.flat();
    const figures = [
      median(times).toFixed(2),
      findShare(times, 0.99).toFixed(2),
      (1000 / mean(times)).toFixed(0),
      compareMedians(results, path, "nginx").median.toFixed(2),
      compareMedians(results, path, "websockets").median.toFixed(2),
    ];
    console.log(`  ${names[path].padEnd(44)}${figures.map((figure) => figure.padStart(13)).join("")}`);
  }
}

/** The time of a call on one path as a multiple of that on another, by the medians of each round. */
export function compareMedians(results, path, base) {
  return describeRatios(results[path].map(median), results[base].map(median));
}

/** The same by the means, which is by frames a second: pauses count. */
export function compareRates(results, path, base) {
  return describeRatios(results[path].map(mean), results[base].map(mean));
}
