import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../../test/support/contestant.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import {
  listScripts,
  type OfflineRun,
  readScriptFile,
  readScriptTable,
  runScripts,
  type ScriptJob,
  type ScriptOutcome,
  type ScriptRow,
} from "../../../test/support/training-scripts.ts";
import { decodeScript } from "./decode-script.ts";
import { instrumentScript } from "./instrument-script.ts";
import { removeInstrumentation } from "./marks.ts";
import { readScript } from "./read-script.ts";

const rows = readScriptTable();
const folder = useTempFolder();

/** What is run where the script is only a part. */
const MAIN: Record<string, string> = { "multi_file/trainer.py": "main.py" };
/** Exit codes of scripts that fail, which their runs have too. */
const FAILING: Record<string, number> = { "fails_midway.py": 1 };

test("each script has its row", () => {
  expect(rows.map(({ file }) => file).sort()).toEqual(listScripts());
});

test.each(rows)("$file is read as its row says", async ({ file, framework, loops, metrics, refused }) => {
  const { text } = decodeScript(readScriptFile(file));
  const reading = await readScript(text);
  expect({ framework: reading.framework, loops: reading.loops.map((loop) => loop.function ?? "-") }).toEqual({
    framework,
    loops,
  });
  const made = instrumentScript(text, reading);
  if (refused !== null) expect("refused" in made && `${made.refused} (line ${made.line})`).toBe(refused);
  else
    expect("metrics" in made ? made.metrics.map(({ key }) => key).sort() : made).toEqual([...metrics].sort());
});

test.each(rows)("$file gets the same lines again, and is itself without them", async ({ file }) => {
  const { text, encode } = decodeScript(readScriptFile(file));
  const made = instrumentScript(text, await readScript(text));
  if ("refused" in made) return;
  const again = instrumentScript(made.text, await readScript(made.text));
  expect(again).toMatchObject({ text: made.text, isChanged: false, diff: "" });
  expect(encode(removeInstrumentation(made.text))).toEqual(Buffer.from(readScriptFile(file)));
});

test("each instrumented script logs what its row says, with the real W&B offline", {
  timeout: 180_000,
}, async () => {
  const wanted = rows.filter(({ refused }) => refused === null);
  const jobs = await Promise.all(wanted.map(writeInstrumented));
  const outcomes = await runScripts(jobs, folder());
  expect(outcomes.map(({ name }) => name).sort()).toEqual(wanted.map(({ file }) => file).sort());
  const faults = wanted.flatMap((row) =>
    checkOutcome(
      row,
      outcomes.find(({ name }) => name === row.file),
    ),
  );
  expect(faults).toEqual([]);
});

async function writeInstrumented({ file }: ScriptRow): Promise<ScriptJob> {
  const home = mkdtempSync(join(folder(), "run-"));
  cpSync(join(CHECKOUT, "fixtures", "scripts", dirname(file)), join(home, "code"), { recursive: true });
  const { text, encode } = decodeScript(readScriptFile(file));
  const made = instrumentScript(text, await readScript(text));
  if ("text" in made) writeFileSync(join(home, "code", basename(file)), encode(made.text));
  return { name: file, script: join(home, "code", MAIN[file] ?? basename(file)), folder: home };
}

function checkOutcome({ file, metrics }: ScriptRow, outcome: ScriptOutcome | undefined): string[] {
  const { exit, stderr, runs } = outcome ?? { exit: null, stderr: "", runs: [] };
  const faults = checkRun(file, metrics, runs);
  if (exit !== (FAILING[file] ?? 0)) faults.push(`exit ${exit}`);
  if (/W&B does not get/.test(stderr)) faults.push("told of a metric that is none");
  return faults.map((fault) => `${file}: ${fault}\n${stderr.slice(-2000)}`);
}

function checkRun(file: string, metrics: string[], runs: OfflineRun[]): string[] {
  const run = runs[0];
  if (runs.length !== 1 || run === undefined) return [`${runs.length} runs`];
  const faults = metrics.filter((key) => !run.history.some((row) => Number.isFinite(row[key])));
  const steps = run.history.map((row) => Number(row["_step"]));
  const isRising = steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0));
  const named = { id: run.id, project: run.project, name: run.name, exit: run.exit };
  const expected = { id: "run1", project: "digits", name: "first try", exit: FAILING[file] ?? 0 };
  return [
    ...faults.map((key) => `no ${key}`),
    ...(isRising ? [] : [`steps ${steps.join(" ")}`]),
    ...(isDeepStrictEqual(named, expected) ? [] : [JSON.stringify(named)]),
    ...(Object.keys(run.config).length > 0 ? [] : ["no configuration"]),
  ];
}
