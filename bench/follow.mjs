import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { followRun } from "../dist/index.js";
import { describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { launchRun, waitForQuiet } from "./support/runs.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 5;
const SECONDS = 6;
const LINES_PER_SECOND = 100_000;
const LINES = SECONDS * LINES_PER_SECOND;
const MOST_PERCENT_OF_A_CORE = 25;
const writer = fileURLToPath(new URL("./support/write-lines.mjs", import.meta.url));

/**
 * A run prints 100,000 lines a second, and four readers follow its log at the same time. Each one's processor time, its
 * start-up and helpers with it, is told as a share of the time that the writing took. Every line must have come.
 */
export async function run() {
  const workspace = openWorkspace();
  try {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await followOnce(workspace));
    return report(rounds);
  } finally {
    await workspace.close();
  }
}

async function followOnce(workspace) {
  const folder = mkdtempSync(join(workspace.folder, "follow-"));
  const start = join(folder, "start");
  const command = [process.execPath, writer, start, String(LINES), String(LINES_PER_SECOND)];
  const { id, log, pid } = launchRun(workspace, command);
  const logs = [...SORTIE, "logs", "-f", id];
  const commands = {
    "sortie logs -f": logs,
    "sortie logs -f --raw": [...logs, "--raw"],
    "tail -f": ["tail", "-n", "+1", `--pid=${pid}`, "-f", log],
  };
  const outputs = Object.keys(commands).map((_, number) => join(folder, String(number)));
  const readings = await Promise.all([
    followInProcess(workspace.desk, id),
    ...Object.entries(commands).map(([name, argv], number) =>
      followByCommand(name, argv, outputs[number], workspace.env),
    ),
    startWhenAllFollow(outputs, start),
  ]);
  const seconds = await readDuration(log);
  await waitForQuiet(workspace, id);
  const percents = readings.flatMap((reading) =>
    reading ? [[reading.name, (100 * reading.cpuSeconds) / seconds]] : [],
  );
  return { linesPerSecond: LINES / seconds, percents: Object.fromEntries(percents) };
}

/** The writer says first that it waits: who has shown that follows. */
async function startWhenAllFollow(outputs, start) {
  const follows = (output) => existsSync(output) && readFileSync(output, "utf8").includes("waiting");
  for (let tries = 0; !outputs.every(follows); tries += 1) {
    if (tries > 1000) throw new Error("the followers did not begin");
    await sleep(20);
  }
  writeFileSync(start, "");
}

/** Runs a command under a shell that tells its processor time when it has ended, and checks all that it printed. */
async function followByCommand(name, command, output, env) {
  const shell = ["-c", '"$@" >"$0"; times', output, ...command];
  const child = spawn("sh", shell, { env, stdio: ["ignore", "pipe", "inherit"] });
  let times = "";
  child.stdout.on("data", (chunk) => (times += chunk));
  await once(child, "close");
  await checkLines(name, createReadStream(output));
  return { name, cpuSeconds: readTimes(times) };
}

async function followInProcess(desk, id) {
  const name = "followRun, in process";
  const before = process.cpuUsage();
  let bytes = 0;
  const { run: ended } = await followRun(desk, id, { onBytes: (piece) => (bytes += piece.length) });
  const { user, system } = process.cpuUsage(before);
  if (bytes !== readFileSync(ended.log).length) throw new Error(`${name}: ${bytes} bytes came`);
  return { name, cpuSeconds: (user + system) / 1e6 };
}

/** The second line of `times` is for the children: `0m1.230000s 0m0.450000s`. */
function readTimes(text) {
  const [user, system] = text.trim().split("\n")[1].split(" ").map(readTime);
  return user + system;
}

function readTime(text) {
  const [minutes, seconds] = text.split("m");
  return Number(minutes) * 60 + Number.parseFloat(seconds);
}

/** Every line must be there, once and in its place. */
async function checkLines(name, stream) {
  let next = 0;
  for await (const line of createInterface({ input: stream })) {
    if (!line.startsWith("step ")) continue;
    if (!line.startsWith(`step ${next} `)) throw new Error(`${name}: after line ${next - 1} came ${line}`);
    next += 1;
  }
  if (next !== LINES) throw new Error(`${name}: line ${next} did not come`);
}

async function readDuration(log) {
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (line.startsWith("took ")) return Number.parseFloat(line.slice(5));
  }
  throw new Error("the writer did not come to its end");
}

function report(rounds) {
  const { median } = describeValues(rounds.map(({ linesPerSecond }) => linesPerSecond));
  printLine({ label: "lines a second, really written", figure: median, unit: "" });
  const held = Object.keys(rounds[0].percents).map((label) => {
    const { median, p10, p90 } = describeValues(rounds.map(({ percents }) => percents[label]));
    const most = label === "tail -f" ? undefined : MOST_PERCENT_OF_A_CORE;
    return printLine({ label, figure: median, unit: " %", p10, p90, most });
  });
  return held.every(Boolean);
}
