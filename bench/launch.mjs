import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { confirmPlan } from "../dist/index.js";
import { readClockMs, startPidWatcher } from "./support/pid-watcher.mjs";
import { describeDifferences, describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { planCommand, waitForQuiet } from "./support/runs.mjs";
import { makePathWithout, openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 50;
const MOST_MS_OVER_SETSID = 50;
const MOST_TIMES_NODE = 2.5;

/** From the answer to a plan until the run's `pid` is on disk, in process and as `sortie confirm`. */
export async function run() {
  const workspace = openWorkspace();
  const watcher = startPidWatcher();
  try {
    return report(await measureRounds(ROUNDS, makeCases(workspace, hideScreen(workspace), watcher)));
  } finally {
    await watcher.stop();
    await workspace.close();
  }
}

/** The same workspace on a machine without screen. */
function hideScreen(workspace) {
  const env = { ...workspace.env, PATH: makePathWithout("screen", join(workspace.folder, "bin")) };
  return { ...workspace, env, desk: { ...workspace.desk, env } };
}

function makeCases(workspace, withoutScreen, watcher) {
  return {
    "node -e 0": () => timeNode(workspace),
    "setsid sh -c": () => timeSetsid(workspace, watcher),
    "confirmPlan, in a screen": () => timeConfirmPlan(workspace, watcher),
    "confirmPlan, no screen installed": () => timeConfirmPlan(withoutScreen, watcher),
    "sortie confirm, in a screen": () => timeConfirmCommand(workspace, watcher),
    "sortie confirm, no screen installed": () => timeConfirmCommand(withoutScreen, watcher),
  };
}

async function timeNode({ env, project }) {
  const startedMs = readClockMs();
  await once(spawn(process.execPath, ["-e", "0"], { env, cwd: project, stdio: "ignore" }), "exit");
  return readClockMs() - startedMs;
}

/** What a person would do by hand: a session of its own that puts its number into a file. */
async function timeSetsid({ folder, env }, watcher) {
  const { found } = await watcher.watch(folder);
  const own = mkdtempSync(join(folder, "by-hand-"));
  const startedMs = readClockMs();
  const child = spawn("setsid", ["sh", "-c", 'echo $$ >"$1/pid"', "sh", own], { env, stdio: "ignore" });
  const tookMs = (await found) - startedMs;
  if (child.exitCode === null) await once(child, "exit");
  return tookMs;
}

async function timeConfirmPlan(place, watcher) {
  const plan = await planCommand(place, ["true"]);
  const { found } = await watcher.watch(place.desk.home.jobs);
  const startedMs = readClockMs();
  const { run: launched } = await confirmPlan(place.desk, plan);
  const tookMs = (await found) - startedMs;
  await waitForQuiet(place, launched.id);
  return tookMs;
}

async function timeConfirmCommand(place, watcher) {
  const plan = await planCommand(place, ["true"]);
  const { found } = await watcher.watch(place.desk.home.jobs);
  const startedMs = readClockMs();
  const options = { env: place.env, cwd: place.project, stdio: ["ignore", "pipe", "inherit"] };
  const child = spawn(SORTIE[0], [...SORTIE.slice(1), "confirm", plan, "--detach", "--json"], options);
  const [tookMs, text] = await Promise.all([found.then((atMs) => atMs - startedMs), readAll(child.stdout)]);
  await waitForQuiet(place, JSON.parse(text).run.id);
  return tookMs;
}

async function readAll(stream) {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

function report(times) {
  const { "node -e 0": node, "setsid sh -c": setsid, ...launches } = times;
  printLine({ label: "node -e 0", figure: describeValues(node).median, unit: " ms" });
  printLine({
    label: "setsid sh -c, to its pid on disk",
    figure: describeValues(setsid).median,
    unit: " ms",
  });
  const held = Object.entries(launches).map(([label, values]) => {
    const inProcess = label.startsWith("confirmPlan");
    const { median, p10, p90 } = inProcess
      ? describeDifferences(values, setsid)
      : describeRatios(values, node);
    const promise = inProcess
      ? { unit: " ms more", most: MOST_MS_OVER_SETSID }
      : { unit: " ×", most: MOST_TIMES_NODE };
    const detail = `${describeValues(values).median.toFixed(0)} ms`;
    return printLine({ label, figure: median, p10, p90, detail, ...promise });
  });
  return held.every(Boolean);
}
