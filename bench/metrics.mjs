import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";

const ROUNDS = 5;
const LINES = 1_000_000;
const CHUNK_BYTES = 64 * 1024;
/** 200,000 lines a second. */
const MOST_MICROSECONDS = 5;
const ROOM = fileURLToPath(new URL("../src/metrics/", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../fixtures/metrics/", import.meta.url));

/**
 * Reads the metrics of a log of a million lines, in which the logs of `fixtures/metrics` and plain text take turns, beside a
 * count of its lines. Told is processor time, that of collecting garbage with it, so that it is the work of one core.
 */
export async function run() {
  const { makeMetricReader, openRunMetrics } = await loadRoom();
  const chunks = makeChunks();
  let points = 0;
  const results = await measureRounds(ROUNDS, {
    count: () => measureMicroseconds(() => countLines(chunks)),
    metrics: () =>
      measureMicroseconds(() => {
        const reader = makeMetricReader();
        points = 0;
        for (const chunk of chunks) points += reader.read(chunk).length;
      }),
    kept: () =>
      measureMicroseconds(() => {
        const run = openRunMetrics(null);
        for (const chunk of chunks) run.addBytes(chunk);
        JSON.stringify(run.save());
      }),
  });
  return report(results, points);
}

/** The room has no door of its own: what is measured of it is bundled alone. */
async function loadRoom() {
  const folder = mkdtempSync(join(tmpdir(), "sortie-bench-"));
  try {
    const outfile = join(folder, "room.mjs");
    const contents = `export * from "./log/metric-reader.ts"; export * from "./run-metrics.ts";`;
    const stdin = { contents, resolveDir: ROOM, loader: "ts" };
    await build({ stdin, bundle: true, platform: "node", format: "esm", outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Numbers differ from line to line, as in a real log; two lines of ten are no metrics. */
function makeChunks() {
  const logs = readdirSync(FIXTURES).filter((file) => file.endsWith(".log"));
  const lines = logs.flatMap((file) => readFileSync(join(FIXTURES, file), "utf8").split(/[\r\n]+/));
  const kinds = lines.filter((line) => line.trim() !== "");
  for (let extra = Math.ceil(kinds.length / 5); extra > 0; extra -= 1)
    kinds.push(
      `[2026-03-01 10:00:${10 + (extra % 50)},123] worker: loading shard ${extra} from /data/part-000${extra}.tar`,
    );
  const blocks = [];
  for (let line = 0; line < LINES; line += 1000) {
    const block = Array.from({ length: 1000 }, (_, index) =>
      vary(kinds[(line + index) % kinds.length], line + index),
    );
    blocks.push(Buffer.from(`${block.join("\n")}\n`));
  }
  const log = Buffer.concat(blocks);
  return Array.from({ length: Math.ceil(log.length / CHUNK_BYTES) }, (_, index) =>
    log.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
}

function vary(text, line) {
  return text.replace(/0\.\d+/g, (number) => `${number}${line % 1000}`);
}

function countLines(chunks) {
  let lines = 0;
  for (const chunk of chunks)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  if (lines !== LINES) throw new Error(`${lines} lines were counted`);
}

function measureMicroseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / LINES;
}

function report({ count, metrics, kept }, points) {
  const lines = describeValues(count);
  printLine({
    label: "count the lines",
    figure: lines.median,
    unit: " µs a line",
    p10: lines.p10,
    p90: lines.p90,
  });
  const ratio = describeRatios(metrics, count).median.toFixed(0);
  const held = printRate(
    "read the metrics",
    metrics,
    `${points} points, ${ratio} × count`,
    MOST_MICROSECONDS,
  );
  printRate("read and keep them, as the store does", kept);
  return held;
}

function printRate(label, results, more = "", most = undefined) {
  const { median, p10, p90 } = describeValues(results);
  const detail = [`${Math.round(1e6 / median)} lines a second`, more].filter(Boolean).join(", ");
  return printLine({ label, figure: median, unit: " µs a line", p10, p90, most, detail });
}
