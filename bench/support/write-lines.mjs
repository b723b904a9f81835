// The command of the run that is followed: says that it waits for a file, then prints numbered lines at a steady pace,
// and in the end how long that took. Usage: write-lines.mjs START_FILE LINES LINES_PER_SECOND
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [startFile, lines, linesPerSecond] = process.argv.slice(2);
const STEP_MS = 10;
const PATIENCE_MS = 60_000;

console.log("waiting");
while (!existsSync(startFile)) {
  if (performance.now() > PATIENCE_MS) process.exit(1);
  await sleep(STEP_MS);
}
const startedMs = performance.now();
for (let next = 0; next < Number(lines); ) {
  const due = Math.min(Number(lines), ((performance.now() - startedMs) / 1000) * Number(linesPerSecond));
  let text = "";
  for (; next < due; next += 1) text += `${makeLine(next)}\n`;
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  await sleep(STEP_MS);
}
console.log(`took ${((performance.now() - startedMs) / 1000).toFixed(3)} s`);

/** As long as a line of a training log. */
function makeLine(number) {
  return `step ${number} epoch 3 loss 0.4321 accuracy 0.8765 lr 0.0010 12.3 it/s`;
}
