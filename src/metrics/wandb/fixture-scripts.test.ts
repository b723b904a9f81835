import { cpSync, mkdtempSync } from "node:fs";
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
  runScript,
  type ScriptRow,
  writeScript,
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
    expect("metrics" in made ? made.metrics.map(({ key }) => key).sort() : made).toEqual(
      [...metrics, "gpu/memory_used"].sort(),
    );
});

test.each(rows)("$file gets the same lines again, and is itself without them", async ({ file }) => {
  const { text, encode } = decodeScript(readScriptFile(file));
  const made = instrumentScript(text, await readScript(text));
  if ("refused" in made) return;
  const again = instrumentScript(made.text, await readScript(made.text));
  expect(again).toMatchObject({ text: made.text, isChanged: false, diff: "" });
  expect(encode(removeInstrumentation(made.text))).toEqual(Buffer.from(readScriptFile(file)));
});

/** Two at a time: a script waits for W&B more than it computes. */
test("each instrumented script logs what its row says, with the real W&B offline", {
  timeout: 90_000,
}, async () => {
  const waiting = rows.filter(({ refused }) => refused === null);
  const faults: string[] = [];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift())
      faults.push(...(await tryScript(row)));
  };
  await Promise.all([work(), work()]);
  expect(faults).toEqual([]);
});

async function tryScript({ file, metrics }: ScriptRow): Promise<string[]> {
  const home = mkdtempSync(join(folder(), "run-"));
  cpSync(join(CHECKOUT, "fixtures", "scripts", dirname(file)), join(home, "code"), { recursive: true });
  const { text, encode } = decodeScript(readScriptFile(file));
  const made = instrumentScript(text, await readScript(text));
  if ("refused" in made) return [`${file}: ${made.refused}`];
  writeScript(home, join("code", basename(file)), encode(made.text));
  const { exitCode, stderr, runs } = await runScript(home, join(home, "code", MAIN[file] ?? basename(file)));
  const faults = checkRun(file, metrics, runs);
  if (exitCode !== (FAILING[file] ?? 0)) faults.push(`exit ${exitCode}`);
  if (/W&B does not get/.test(stderr)) faults.push("told of a metric that is none");
  return faults.map((fault) => `${file}: ${fault}\n${stderr.slice(-2000)}`);
}

function checkRun(file: string, metrics: string[], runs: OfflineRun[]): string[] {
  const run = runs[0];
  if (runs.length !== 1 || run === undefined) return [`${runs.length} runs`];
  const faults = [...metrics, "gpu/memory_used"].filter(
    (key) => !run.history.some((row) => Number.isFinite(row[key])),
  );
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
