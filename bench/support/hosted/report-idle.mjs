import { describeValues, findShare } from "../quantiles.mjs";
import { printLine } from "../report.mjs";

const MOST_MB = 150;
/**
 * On a machine that others use, a p99 is theirs: that of the gateway without idle agents, with so much more, counts as
 * well.
 */
const MOST_OVER_EMPTY = 1.5;

/** Prints what was measured; whether it is as promised. `most`: what else is promised, where it is. */
export function reportIdle({ count, emptyMB, memoryMB, lastMB, processorMs, times, fault }, most = {}) {
  const each = ((memoryMB - emptyMB) * 1000) / count;
  const held = [
    printLine({
      ...{ label: `memory, ${count} idle agents`, figure: memoryMB, unit: " MB", most: MOST_MB },
      detail: `${emptyMB.toFixed(0)} MB without, ${lastMB.toFixed(0)} MB at the end`,
    }),
    printLine({ label: "memory of an idle agent", figure: each, unit: " kB", most: most.eachKB }),
    printLine({
      ...{
        label: "processor time for a round of pings",
        figure: processorMs,
        unit: " ms",
        most: most.roundMs,
      },
    }),
  ];
  for (const [name, label] of [
    ["empty", "85 kB echo, no idle agents"],
    ["crowded", "85 kB echo, among them"],
  ]) {
    const { median, p10, p90 } = describeValues(times[name]);
    printLine({ label, figure: median, unit: " ms", p10, p90 });
    const p99 = findShare(times[name], 0.99);
    const limit =
      name === "crowded" && most.p99Ms !== undefined ? findLimit(most.p99Ms, times.empty) : undefined;
    held.push(printLine({ label: `${label}, p99`, figure: p99, unit: " ms", most: limit }));
  }
  if (fault !== undefined) console.log(`  ${fault}`);
  return held.every(Boolean) && fault === undefined;
}

function findLimit(mostMs, emptyTimes) {
  return Math.max(mostMs, Number((findShare(emptyTimes, 0.99) * MOST_OVER_EMPTY).toFixed(1)));
}
