import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { decodeSeriesSet } from "../../metrics/series/encode-series.ts";
import { sumUpSeries } from "../../metrics/series/series.ts";
import type { ResultFile } from "../../runs/run-record.ts";
import { readResultFiles } from "./read-result-files.ts";

const folder = useTempFolder();

function write(path: string, text: string, terms: Partial<ResultFile> = {}): ResultFile {
  mkdirSync(dirname(join(folder(), path)), { recursive: true });
  writeFileSync(join(folder(), path), text);
  return { path, storedAs: path, bytes: text.length, sha256: "", changing: false, shared: false, ...terms };
}

async function read(results: ResultFile[]) {
  const { series, problems } = await readResultFiles({ results, resultsFolder: folder() });
  const set = decodeSeriesSet(series);
  return { problems, set, sum: (metric: string) => sumUpSeries(set.series.get(metric) as never) };
}

it("takes of a metric the longest course, and passes over what is too large to the files behind it", async () => {
  const huge = write("a/metrics.jsonl", "", { bytes: 1e12 });
  const { sum, problems } = await read([
    huge,
    write("b/metrics.json", '{"loss": [3, 2, 1]}'),
    write("c/metrics.json", '{"loss": 9, "acc": 0.5}'),
  ]);
  expect([sum("loss")?.count, sum("acc")?.last]).toEqual([3, 0.5]);
  expect(problems).toEqual(["1 file of metrics was not read: of a run at most 50 are, of 500 MB together"]);
});

it("tells how many files were left out, and how many of their problems", async () => {
  const { problems } = await read(
    Array.from({ length: 60 }, (_, place) => write(`${place}/metrics.json`, "{")),
  );
  expect(problems).toHaveLength(22);
  expect(problems.slice(-2)).toEqual([
    "30 more problems of files of metrics",
    "10 files of metrics were not read: of a run at most 50 are, of 500 MB together",
  ]);
});

it("reads no file into which another run wrote", async () => {
  const { set, problems } = await read([write("results/metrics.json", '{"loss": 1}', { shared: true })]);
  expect(set.series.size).toBe(0);
  expect(problems).toEqual([
    "results/metrics.json was not read for numbers: another run wrote to it at the same time",
  ]);
});

it("keeps as many metrics of all files together as of one", async () => {
  const files = ["a", "b", "c"].map((name) =>
    write(
      `${name}/metrics.json`,
      JSON.stringify(Object.fromEntries([...Array(90)].map((_, at) => [`${name}${at}`, 1]))),
    ),
  );
  const { set } = await read(files);
  expect([set.series.size, set.dropped]).toEqual([200, 70]);
});
