// `npm start`: from a fresh clone to the result of a real experiment, run by Sortie on this machine, and a challenge rehearsed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, giveUp, runQuiet, runToExit } from "./steps/checkout.mjs";
import { buildWhenOlder } from "./steps/fresh-build.mjs";
import { installNodeModules } from "./steps/node-modules.mjs";

const home = join(checkout, ".sortie");
const sortie = join(checkout, "bin", "sortie");
const env = { ...process.env, SORTIE_HOME: home };

checkPython();
await installNodeModules();
await buildWhenOlder();
const name = makeRunName();
let exitCode = await runExample(name);
if (exitCode === 0) {
  showResult(name);
  exitCode = await rehearseExample();
}
if (exitCode === 0) showNext(name);
process.exitCode = exitCode;

function checkPython() {
  const isNewEnough = "import sys; sys.exit(sys.version_info < (3, 9))";
  if (runQuiet(["python3", "-c", isNewEnough]).ok) return;
  giveUp("The example needs Python 3.9 or later as `python3`.", "Install it, then again: npm start", 5);
}

/** The time makes it a new name on every start. */
function makeRunName() {
  return `digits-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}`;
}

/** Plan, launch, live progress and the end, as anyone gets them from `sortie run`. Gives its exit code. */
function runExample(name) {
  const options = ["--target", "local", "--name", name, "--results", "results/", "--yes"];
  const command = ["run", ...options, "--", "python3", "train.py"];
  console.log(`\n$ sortie ${command.join(" ")}     # in examples/digits`);
  const cwd = join(checkout, "examples", "digits");
  return runToExit([process.execPath, sortie, ...command], { env, cwd });
}

function showResult(name) {
  const shown = runQuiet([process.execPath, sortie, "show", name, "--json"], env);
  if (!shown.ok) return;
  const run = JSON.parse(shown.stdout);
  const results = join(home, "runs", run.id);
  const metrics = readMetrics(results);
  console.log(`
Result    test accuracy ${(metrics.test_accuracy * 100).toFixed(1)} % after ${metrics.epochs.length} epochs in ${metrics.seconds.toFixed(1)} s
Log       ${run.log}
Results   ${results}`);
}

/** A whole challenge job on this machine: gateway, simulator, two agents with the sample handler. Gives its exit code. */
function rehearseExample() {
  const handler = "contestant_sdk/python/example_inference:handle";
  const command = ["rehearse", "--handler", handler, "--agents", "2"];
  console.log(`\n$ sortie ${command.join(" ")}`);
  return runToExit([process.execPath, sortie, ...command], { env, cwd: checkout });
}

function showNext(name) {
  const command = `SORTIE_HOME="$PWD/.sortie" bin/sortie`;
  console.log(`
Try next:
  # what ran, from which code, how it ended
  ${command} show ${name}
  # its output again
  ${command} logs ${name}
  # the same once more
  ${command} rerun ${name}
  # a challenge job with a handler of your own
  ${command} rehearse --handler MODULE:FUNCTION`);
}

/** The results' paths inside the folder are those of the experiment's own folder. */
function readMetrics(results) {
  const file = join(results, "results", "metrics.json");
  if (!existsSync(file)) giveUp(`the run has no ${file}`, "Look at its log: it should say why.", 1);
  return JSON.parse(readFileSync(file, "utf8"));
}
