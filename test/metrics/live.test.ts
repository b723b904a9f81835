import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeFakeGpus } from "../support/fake-gpus.ts";
import { makeNewsStage } from "../support/news-stage.ts";
import { useNoticeServers } from "../support/notice-servers.ts";
import { useSortie } from "../support/sortie.ts";
import { makeTraining } from "../support/training.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const training = makeTraining(sortie);
const servers = useNoticeServers();
const stage = makeNewsStage(sortie);

beforeEach(training.write);

const section = (...items: string[]) =>
  writeFileSync(
    join(sortie.project(), "AGENTS.md"),
    ["## Local Environment", ...items.map((item) => `- ${item}`), ""].join("\n"),
  );

describe("a live run", () => {
  it("shows what its log says now, and in the end also what its files of metrics say", async () => {
    const { id } = await training.launch("live", ["--hold", "4"]);
    await training.waitForLog(id, "step 4/10");
    const { metrics, metricNotes } = await sortie.show(id);
    expect(metrics.loss).toEqual({ last: 0.5, min: 0.5, max: 4, steps: 4, values: 4, flags: [] });
    expect(metricNotes).toEqual([]);
    training.go();
    await training.waitForHome(id);
    const ended = (await sortie.show(id)).metrics;
    expect(ended.loss).toMatchObject({ last: 8 / 2 ** 10, max: 4, steps: 10, values: 10 });
    expect(ended.eval_accuracy).toMatchObject({ last: 0.6, values: 1 });
    expect(JSON.parse(readFileSync(training.findKept(id) as string, "utf8"))).toMatchObject({
      isWhole: true,
    });
    await sortie.ask(["clean", id, "--yes"]);
    expect(existsSync(join(sortie.home(), "metrics", id))).toBe(false);
  });

  it("has its numbers kept by the watcher, which reads a log from where it stopped", async () => {
    const { id } = await training.launch("kept", ["--hold", "4"]);
    const readKept = () => {
      const file = training.findKept(id);
      return file === null ? null : JSON.parse(readFileSync(file, "utf8"));
    };
    const kept = await waitFor(() => readKept()?.log.position > 0 && readKept(), {
      timeoutMs: 20_000,
      what: "metrics kept without a question",
    });
    expect(kept).toMatchObject({ isWhole: false, files: null });
    training.go();
    await training.waitForHome(id);
    expect((await sortie.show(id)).metrics.loss.values).toBe(10);
  });

  it("is read anew where its log was cut off, and keeps what it had said", async () => {
    const { id, log } = await training.launch("cut", ["--hold", "4"]);
    await training.waitForLog(id, "step 4/10");
    expect((await sortie.show(id)).metrics.loss.values).toBe(4);
    truncateSync(log);
    training.go();
    await training.waitForHome(id);
    expect((await sortie.show(id)).metrics.loss).toMatchObject({ last: 8 / 2 ** 10, max: 4, values: 10 });
  });

  it("that prints and does nothing for long is told of, until it speaks again", async () => {
    section("gpu: local", "silent_after: 20m");
    const feishu = await servers.serveFeishu();
    stage.setFeishu({ mode: "push", webhook_url: feishu.url });
    const { id, log, jobFolder } = await training.launch("silent", ["--hold", "4"]);
    await training.waitForLog(id, "step 4/10");
    const samples = join(jobFolder, "samples.csv");
    await waitFor(() => existsSync(samples), { what: "samples" });
    const bytes = readFileSync(log).length;
    const addSamples = (count: number, size: number) => {
      const times = Array.from({ length: count }, (_, minute) =>
        new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString().replace(".000", ""),
      );
      appendFileSync(samples, times.map((time) => `${time},${size},1\n`).join(""));
    };
    addSamples(22, bytes);
    const quiet = await waitFor(async () => [await sortie.show(id)].find((run) => run.quietSince), {
      timeoutMs: 30_000,
      what: "a silent run",
    });
    expect(quiet.events.map(({ kind }: { kind: string }) => kind)).toContain("silent");
    expect((await sortie.run(["ls"])).stdout).toMatch(/running \(silent for 2[01] min/);
    expect((await sortie.run(["show", id])).stdout).toMatch(/silent +it has printed nothing for 2[01] min/);
    const isTold = () => feishu.cards.some(({ text }) => text.includes("Error: silent is silent"));
    await waitFor(isTold, { timeoutMs: 20_000, what: "a card of the silent run" });
    training.go();
    await training.waitForHome(id);
    expect((await sortie.run(["ls"])).stdout).not.toContain("silent for");
  });
});

it.each([
  [
    "what the driver tells of its GPU",
    [],
    { "gpu/memory_mib": 12, "gpu/load_percent": 0, "gpu/power_w": 61.5 },
  ],
  [
    "the rest where the driver knows no power",
    ["power.draw"],
    { "gpu/memory_mib": 12, "gpu/load_percent": 0 },
  ],
])("a run shows %s", async (_, unknownFields, expected) => {
  const gpus = makeFakeGpus(sortie.temp(), { gpus: [{ memoryUsed: 12, power: "61.50" }], unknownFields });
  const options = { env: gpus.env };
  const { id } = await sortie.launch(["sh", "-c", "until [ -e go ]; do sleep 0.05; done"], [], options);
  const load = async () => (await sortie.ask(["show", id], options)).metrics;
  const metrics = await waitFor(async () => [await load()].find((seen) => "gpu/memory_mib" in seen), {
    what: "a sample",
  });
  const last = Object.entries<{ last: number }>(metrics).map(([name, { last }]) => [name, last]);
  expect(Object.fromEntries(last.filter(([name]) => String(name).startsWith("gpu/")))).toEqual(expected);
  training.go();
  await sortie.run(["wait", id], options);
});

describe("sortie show", () => {
  it("draws the most telling metrics, those that are named, or none", async () => {
    const { id } = await training.launch("drawn");
    await training.waitForHome(id);
    const show = async (...flags: string[]) => (await sortie.run(["show", id, ...flags])).stdout;
    const utf8 = { LC_ALL: "C.UTF-8" };
    const drawn = (await sortie.run(["show", id], { env: utf8 })).stdout;
    expect(drawn).toMatch(/loss {2}0\.007813, min 0\.007813, max 4, 10 values\n +4 ┤/);
    expect(drawn).toContain("eval_accuracy  0.6");
    expect(drawn.indexOf("loss  ")).toBeLessThan(drawn.indexOf("lr  0.1"));
    expect((await sortie.run(["show", id], { env: { LC_ALL: "C" } })).stdout).toMatch(/^[\x20-\x7e\n]*$/);
    expect(await show("--no-charts")).not.toContain("values");
    const one = await show("--metric", "LR");
    expect([one.includes("lr  0.1"), one.includes("loss  ")]).toEqual([true, false]);
    expect(await sortie.ask(["show", id, "--metric", "los"])).toMatchObject({
      exit: 2,
      error: { code: "metric_unknown", hint: "Did you mean loss?" },
    });
  });
});

describe("metric_pattern", () => {
  it("that will not do is refused with its line, before anything is launched", async () => {
    section("gpu: local", "metric_pattern: `L=(\\S+)`");
    const refused = await sortie.ask(["run", "--gpus", "none", "--yes", "--", "true"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "metric_pattern_bad" } });
    expect(refused.error.message).toContain("metric_pattern in AGENTS.md line 3");
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });

  it("finds the numbers that stand otherwise than is known", async () => {
    section("gpu: local", "metric_pattern: `it(?<step>\\d+) ~~ (?<perplexity>\\S+)`");
    const { id } = await sortie.launch(["printf", "it5 ~~ 31.5\nit6 ~~ 30.25\n"], ["--gpus", "none"]);
    await training.waitForHome(id);
    expect((await sortie.show(id)).metrics.perplexity).toMatchObject({ last: 30.25, max: 31.5, steps: 6 });
  });
});
