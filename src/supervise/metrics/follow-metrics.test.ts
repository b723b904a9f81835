import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { sumUpSeries } from "../../metrics/series/series.ts";
import { type RangeWish, readRangesHere } from "../../runs/file-ranges.ts";
import { nameJobFiles } from "../../runs/job-folder.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { MetricSource } from "./find-source.ts";
import { followMetrics } from "./follow-metrics.ts";
import { findMeasuredAttempt, loadKept, saveKept } from "./metrics-file.ts";

const folder = useTempFolder();
const log = () => join(folder(), "log");
const samples = () => join(folder(), "samples.csv");

/** A source in the test's folder that counts what is read. */
function makeSource(terms: Partial<MetricSource> = {}): MetricSource & { bytes: () => number } {
  let bytes = 0;
  return {
    ...{ log: log(), samples: samples(), holeEnd: 0, isCopy: false, ...terms },
    bytes: () => bytes,
    read: async (...wishes: readonly [RangeWish, RangeWish]) => {
      const [first, second] = readRangesHere(wishes);
      bytes += first?.bytes.length ?? 0;
      return [first, second] as never;
    },
  };
}

function makeStage(kept: Parameters<typeof followMetrics>[0] = null) {
  const followed = followMetrics(kept, []);
  const read = async (source: MetricSource = makeSource(), mostMs = 10_000) =>
    followed.readOn(source, { clock: systemClock, mostMs });
  const sum = (metric: string) => {
    const series = followed.listSeries().get(metric);
    return series === undefined ? null : sumUpSeries(series);
  };
  return { followed, read, sum };
}

const makeLines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `step ${from + index} loss ${1 / (from + index)}\n`).join(
    "",
  );

describe("a log that grows", () => {
  it("is read on from where it stopped, also by another process, half lines and all", async () => {
    writeFileSync(log(), `${makeLines(1, 1001)}step 1001 lo`);
    const first = makeStage();
    expect(await first.read()).toEqual({ hasNews: true, isBehind: false });
    const second = makeStage(JSON.parse(JSON.stringify(first.followed.save(false))));
    const source = makeSource();
    expect(await second.read(source)).toEqual({ hasNews: false, isBehind: false });
    appendFileSync(log(), "ss 0.5\n");
    expect(await second.read(source)).toEqual({ hasNews: true, isBehind: false });
    expect(source.bytes()).toBeLessThan(300);
    expect(second.sum("loss")).toMatchObject({ count: 1001, last: 0.5, lastStep: 1001 });
  });

  it.each([
    ["cut off", () => truncateSync(log())],
    ["replaced by another that is longer", () => writeFileSync(`${log()}2`, `${"x\n".repeat(9_000)}`)],
  ])("and is %s is read anew, and what it had said stays", async (_, change) => {
    writeFileSync(log(), makeLines(1, 101));
    const { read, sum } = makeStage();
    await read();
    change();
    if (_.startsWith("replaced")) renameSync(`${log()}2`, log());
    appendFileSync(log(), "step 7 loss 9\n");
    expect(await read()).toMatchObject({ hasNews: true });
    expect(sum("loss")).toMatchObject({ count: 101, last: 9, lastStep: 7 });
  });

  it("too fast is given up between, which is said; its end is there", async () => {
    writeFileSync(log(), "step 1 loss 5\n");
    truncateSync(log(), 100 * 1024 * 1024);
    appendFileSync(log(), "\nstep 9 loss 2\n");
    const { followed, read, sum } = makeStage();
    const source = makeSource();
    await read(source);
    expect(source.bytes()).toBeLessThan(10 * 1024 * 1024);
    expect(followed.skipped).toBeGreaterThan(80 * 1024 * 1024);
    expect(sum("loss")).toMatchObject({ last: 2, lastStep: 9 });
  });

  it("has a hole in its copy, which is left out", async () => {
    writeFileSync(log(), `step 1 loss 5\n${"\0".repeat(1000)}step 9 loss 2\n`);
    const { followed, read, sum } = makeStage();
    await read(makeSource({ holeEnd: 1014 }));
    expect([sum("loss")?.count, sum("loss")?.last, followed.skipped]).toEqual([1, 2, 1014]);
  });

  it("lags behind in its copy, which is no news until that has more", async () => {
    const copy = makeSource({ log: join(folder(), "copy"), isCopy: true });
    writeFileSync(log(), makeLines(1, 101));
    writeFileSync(copy.log, makeLines(1, 51));
    const { read, sum } = makeStage();
    await read();
    expect(await read(copy)).toEqual({ hasNews: false, isBehind: false });
    expect(sum("loss")).toMatchObject({ count: 100, lastStep: 100 });
    writeFileSync(copy.log, makeLines(1, 103));
    expect(await read(copy)).toEqual({ hasNews: true, isBehind: false });
    expect(sum("loss")).toMatchObject({ count: 102, lastStep: 102 });
  });

  it("is begun anew in its copy, since it was cut off on its host, and is read anew", async () => {
    const copy = makeSource({ isCopy: true });
    writeFileSync(copy.log, makeLines(1, 101));
    const { read, sum } = makeStage();
    await read(copy);
    writeFileSync(copy.log, "step 7 loss 9\n");
    expect(await read(copy)).toEqual({ hasNews: true, isBehind: false });
    expect(await read(copy)).toEqual({ hasNews: false, isBehind: false });
    expect(sum("loss")).toMatchObject({ count: 101, last: 9, lastStep: 7 });
  });

  it("has a hole in its copy that ends just before what was read of it, and is not read anew", async () => {
    writeFileSync(log(), makeLines(1, 101));
    const { read, sum } = makeStage();
    await read();
    const { length } = makeLines(1, 101);
    const copy = makeSource({ log: join(folder(), "copy"), holeEnd: length - 20, isCopy: true });
    writeFileSync(copy.log, `${"\0".repeat(length - 20)}${makeLines(1, 103).slice(length - 20)}`);
    await read(copy);
    expect(sum("loss")).toMatchObject({ count: 102, lastStep: 102 });
  });

  it("is read for no longer than it may take", async () => {
    writeFileSync(log(), makeLines(1, 100_000));
    const { read } = makeStage();
    expect(await read(makeSource(), 0)).toEqual({ hasNews: true, isBehind: true });
    expect(await read()).toEqual({ hasNews: true, isBehind: false });
  });
});

describe("samples", () => {
  const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();
  const header = (...uuids: string[]) =>
    [
      "time,log_bytes,memory_mib",
      ...uuids.map((uuid) => `${uuid}_memory_mib,${uuid}_load_percent,${uuid}_power_w`),
    ].join(",");

  it("are metrics of the GPUs; what a driver does not tell is none", async () => {
    writeFileSync(
      samples(),
      `${header("GPU-a", "GPU-b")}\n${at(0)},0,100,500,90,250.5,7,,\n${at(10)},0,120,600,80,`,
    );
    const { followed, read, sum } = makeStage();
    await read();
    expect([...followed.listSeries().keys()]).toEqual([
      ...["run/memory_mib", "gpu/0/memory_mib", "gpu/0/load_percent", "gpu/0/power_w", "gpu/1/memory_mib"],
    ]);
    expect(sum("gpu/0/power_w")).toMatchObject({ last: 250.5, count: 1 });
    appendFileSync(samples(), "200,7,,\n");
    await read();
    expect(sum("gpu/0/load_percent")).toMatchObject({ last: 80, min: 80, max: 90 });
  });

  it("of an older supervisor have no power", async () => {
    writeFileSync(
      samples(),
      `time,log_bytes,memory_mib,GPU-a_memory_mib,GPU-a_load_percent\n${at(0)},0,1,2,3\n`,
    );
    const { followed, read } = makeStage();
    await read();
    expect([...followed.listSeries().keys()]).toEqual([
      "run/memory_mib",
      "gpu/memory_mib",
      "gpu/load_percent",
    ]);
  });

  it("tell how many steps a second a run makes, by the lengths of its log", async () => {
    const [ten, thirty] = [`step 0 lr 1\n${makeLines(1, 11)}`, makeLines(11, 31)];
    writeFileSync(log(), ten + thirty);
    const sizes = [ten.length, ten.length, ten.length + thirty.length];
    writeFileSync(
      samples(),
      `${header()}\n${sizes.map((size, place) => `${at(10 * place)},${size},1\n`).join("")}`,
    );
    const { read, sum } = makeStage();
    await read();
    // From step 10, first seen at 0 s, to step 30 at 20 s.
    expect(sum("speed/steps_per_sec")).toMatchObject({ count: 1, last: 1, lastStep: 30 });
  });

  it("of weeks that are read at once take no longer than they are many", async () => {
    const count = 50_000;
    const line = "step 1 loss 1\n";
    writeFileSync(log(), line.repeat(count));
    const rows = Array.from({ length: count }, (_, place) => `${at(10 * place)},${line.length * place},1\n`);
    writeFileSync(samples(), `${header()}\n${rows.join("")}`);
    const { read } = makeStage();
    const start = performance.now();
    await read(makeSource(), 60_000);
    expect(performance.now() - start).toBeLessThan(6_000);
  });

  it.each([
    [
      "nothing is printed and no GPU works",
      [
        [5, 0],
        [5, 0],
        [5, 0],
      ],
      20,
    ],
    [
      "a GPU works",
      [
        [5, 0],
        [5, 0],
        [5, 3],
      ],
      0,
    ],
    [
      "a driver does not tell what its GPU does",
      [
        [5, ""],
        [5, ""],
      ],
      0,
    ],
    [
      "something is printed",
      [
        [5, 0],
        [5, 0],
        [6, 0],
        [6, 0],
      ],
      10,
    ],
  ])("count for how long %s", async (_, rows, seconds) => {
    const lines = rows.map(([size, load], place) => `${at(10 * place)},${size},1,2,${load},\n`);
    writeFileSync(samples(), `${header("GPU-a")}\n${lines.join("")}`);
    const { followed, read } = makeStage();
    await read();
    expect(followed.quietS).toBe(seconds);
  });

  it("of a host that slept, or whose clock jumps, count for nothing", async () => {
    const times = [0, 10, 50_000, 20, 30];
    writeFileSync(samples(), `${header()}\n${times.map((second) => `${at(second)},5,1\n`).join("")}`);
    const { followed, read } = makeStage();
    await read();
    expect(followed.quietS).toBe(20);
  });
});

it("each attempt has metrics of its own; those of the last one that was started are the run's", async () => {
  const home = { metrics: join(folder(), "metrics") } as never;
  const makeRun = (attempt: number, logOf = attempt) =>
    ({ id: "r1", jobFolder: folder(), attempt, log: nameJobFiles(folder(), logOf).log }) as RunRecord;
  mkdirSync(join(folder(), "attempts", "2"), { recursive: true });
  const { followed, read } = makeStage();
  writeFileSync(log(), "step 1 loss 5\n");
  await read();
  saveKept({ home }, makeRun(1), followed.save(true));
  expect(loadKept({ home }, makeRun(2))).toBeNull();
  expect(loadKept({ home }, makeRun(2, 1))).toMatchObject({ isWhole: true });
  expect([makeRun(1), makeRun(2), makeRun(3, 2), makeRun(3, 1)].map(findMeasuredAttempt)).toEqual([
    1, 2, 2, 1,
  ]);
});
