import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeNewsStage } from "../support/news-stage.ts";
import { useNoticeServers } from "../support/notice-servers.ts";
import { useSortie } from "../support/sortie.ts";
import { makeTraining } from "../support/training.ts";

const sortie = useSortie();
const training = makeTraining(sortie);
const servers = useNoticeServers();
const stage = makeNewsStage(sortie);

beforeEach(training.write);

/** Each to its end. */
async function runAll(runs: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [name, args] of Object.entries(runs)) {
    const { id } = await training.launch(name, args);
    await training.waitForHome(id);
  }
}

interface Row {
  readonly experiment: string;
  readonly metric: string;
}

const findRow = (rows: readonly Row[], experiment: string, metric: string) =>
  rows.find((row) => row.experiment === experiment && row.metric === metric);

describe("sortie compare", () => {
  it("tells deltas to a baseline, means over seeds, what differs, and what is wrong", async () => {
    await runAll({
      "base-1": ["--lr", "0.1", "--seed", "1"],
      "base-2": ["--lr", "0.1", "--seed", "3"],
      fast: ["--lr", "0.3", "--seed", "1"],
      broken: ["--lr", "0.1", "--break-at", "7"],
    });
    const all = ["compare", "base-1", "base-2", "fast", "broken"];
    const { rows, differences, baseline, exit } = await sortie.ask([...all, "--baseline", "base-2"]);
    expect([exit, baseline]).toEqual([0, "base-2"]);
    // 0.5 + lr + seed / 100, of seeds 3 and 1.
    const base = findRow(rows, "base-2", "eval_accuracy");
    expect(base).toMatchObject({ count: 2, isBaseline: true, delta: null, status: "succeeded" });
    expect(base).toMatchObject({
      value: expect.closeTo(0.62, 9),
      deviation: expect.closeTo(0.02 / Math.SQRT2, 9),
    });
    expect(findRow(rows, "fast", "eval_accuracy")).toMatchObject({
      value: expect.closeTo(0.81, 9),
      delta: expect.closeTo(0.19, 9),
      deltaShare: expect.closeTo(0.19 / 0.62, 9),
    });
    expect(findRow(rows, "broken", "loss")).toMatchObject({
      value: "NaN",
      flags: [{ kind: "not_finite", text: expect.stringContaining("4 of 10 values are NaN or infinite") }],
    });
    expect(rows.map(({ metric }: Row) => metric)).not.toContain("run/memory_mib");
    expect(differences).toContainEqual({
      experiment: "fast",
      parameters: [{ name: "lr", baseline: "0.1", value: "0.3" }],
      code: "unknown",
    });

    const table = (await sortie.run([...all, "--baseline", "base-2", "--metric", "EVAL_accuracy"])).stdout;
    expect(table).toMatch(/^EXPERIMENT +METRIC +VALUE +DELTA +STATUS\n/);
    expect(table).toMatch(/^fast +eval_accuracy +0\.81 +\+0\.19 \(\+30\.6%\) +succeeded$/m);
    expect(table).toMatch(/^fast: lr 0\.1 → 0\.3; whether the code differs is not known$/m);
    const md = (await sortie.run([...all, "--md", "--metric", "eval_accuracy"])).stdout;
    expect(md).toContain("| base-1 | eval_accuracy | 0.62 ± 0.01414 (2) | succeeded |");
    const csv = (await sortie.run(["compare", "fast", "--csv", "--metric", "loss"])).stdout;
    expect(csv.split("\r\n")[1]).toMatch(/^fast,loss,0\.0078125,,1,,,succeeded,/);
  });

  it("refuses what it cannot tell, and says so of runs without numbers", async () => {
    const { id } = await sortie.launch(["echo", "hello"], ["--gpus", "none", "--name", "mute"]);
    await training.waitForHome(id);
    const mute = await sortie.run(["compare", "mute"]);
    expect(mute).toMatchObject({ exitCode: 0, stdout: "" });
    expect(mute.stderr).toContain("mute: no numbers were found");
    const ask = (...args: string[]) => sortie.ask(["compare", ...args]);
    expect(await ask("nobody")).toMatchObject({ exit: 2, error: { code: "run_unknown" } });
    expect(await ask("mute", "--baseline", "no")).toMatchObject({ exit: 2, error: { code: "run_unknown" } });
    expect(await ask("mute", "--metric", "loss")).toMatchObject({
      exit: 2,
      error: { code: "metric_unknown" },
    });
    expect(await ask("mute", "--md")).toMatchObject({ exit: 2, error: { code: "usage" } });
  });
});

it("sortie plot draws runs into one picture, never over a file that nobody named", async () => {
  await runAll({ one: ["--lr", "0.1"], two: ["--lr", "0.2", "--steps", "5"] });
  const { file, metrics } = await sortie.ask(["plot", "one", "two"]);
  expect([file, metrics]).toEqual([join(sortie.project(), "one.svg"), ["loss", "lr"]]);
  const svg = readFileSync(file, "utf8");
  expect(svg.match(/<svg /g)).toHaveLength(3);
  for (const text of [">loss<", ">one: 0.007813<", ">two: 0.25<"]) expect(svg).toContain(text);
  expect(await sortie.ask(["plot", "one"])).toMatchObject({ exit: 2, error: { code: "value_bad" } });
  expect(readFileSync(file, "utf8")).toBe(svg);
  const png = join(sortie.temp(), "a picture.png");
  expect(await sortie.ask(["plot", "two", "--metric", "loss", "--out", png])).toMatchObject({ file: png });
  expect(readFileSync(png).subarray(1, 4).toString()).toBe("PNG");
  const gif = ["plot", "two", "--out", "two.gif"];
  expect(await sortie.ask(gif)).toMatchObject({ exit: 2, error: { code: "value_bad" } });
  expect(existsSync(join(sortie.project(), "two.gif"))).toBe(false);
});

it("the card of an end tells what was measured, and the delta to the run of the same command before it", async () => {
  const feishu = await servers.serveFeishu();
  stage.setFeishu({ mode: "push", webhook_url: feishu.url });
  mkdirSync(join(sortie.project(), "results"));
  writeFileSync(
    join(sortie.project(), "measure.py"),
    'import json\nvalue = float(open("value").read())\njson.dump({"loss": 2 * value, "eval_accuracy": value, "lr": 1}, open("results/metrics.json", "w"))\n',
  );
  for (const [name, value] of [
    ["before", "0.5"],
    ["after", "0.75"],
  ] as const) {
    writeFileSync(join(sortie.project(), "value"), value);
    const { id } = await sortie.launch(["python3", "measure.py"], ["--gpus", "none", "--name", name]);
    await training.waitForHome(id);
  }
  await stage.waitForQuiet();
  const ended = feishu.cards.map(({ text }) => text).filter((text) => text.includes("Experiment succeeded"));
  expect(ended).toHaveLength(2);
  expect(ended[0]).toMatch(/eval&#95;accuracy 0\.5\\n +loss 1\\n/);
  expect(ended[1]).toMatch(/eval&#95;accuracy 0\.75, \+0\.25 to before\\n +loss 1\.5, \+0\.5 to before/);
});
