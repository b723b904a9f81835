import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { describeRatios, describeValues } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { launchRun, waitForQuiet } from "./support/runs.mjs";
import { openWorkspace, SORTIE } from "./support/workspace.mjs";

const ROUNDS = 25;
const LINES = 50;
const BYTES = 3_000_000_000;
const MOST_MS = 1000;
/** So many bytes of memory more than for a log of 3 kB: what is held must not grow with the log. */
const MOST_MIB_MORE = 32;

/** `sortie logs -n 50` of a log of 3 GB, against one of 3 kB and against a Node that does nothing. */
export async function run() {
  const workspace = openWorkspace();
  try {
    const show = async (makeLog) => {
      const { id, log } = launchRun(workspace, ["true"]);
      await waitForQuiet(workspace, id);
      const expected = makeLog(log);
      return () => measureCommand(workspace, [...SORTIE, "logs", "-n", String(LINES), id], expected);
    };
    return report(
      await measureRounds(ROUNDS, {
        "node -e 0": () => measureCommand(workspace, [process.execPath, "-e", "0"], ""),
        "3 kB log": await show((log) => writeLog(log, 3_000)),
        "3 GB log": await show((log) => writeLog(log, BYTES)),
        "3 GB log, one endless line": await show((log) => writeLog(log, BYTES, "", null)),
      }),
    );
  } finally {
    await workspace.close();
  }
}

/** A log whose end is real and whose start is a hole: it has the size, and takes no room. What `-n` must print. */
function writeLog(
  path,
  bytes,
  end = makeEnd(),
  expected = end
    .split("\n")
    .slice(-LINES - 1)
    .join("\n"),
) {
  const file = openSync(path, "w");
  ftruncateSync(file, bytes - end.length);
  writeSync(file, end, bytes - end.length);
  closeSync(file);
  return expected;
}

function makeEnd() {
  return Array.from(
    { length: LINES + 5 },
    (_, number) => `step ${number} loss 0.4321 accuracy 0.8765\n`,
  ).join("");
}

/** How long the command takes, and the most memory that it held, which the kernel tells while it lives. */
async function measureCommand({ env, project }, [program, ...args], expected) {
  const startedMs = performance.now();
  const child = spawn(program, args, { env, cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let peakMiB = 0;
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, readPeakMiB(child.pid));
  }, 1);
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  await closed;
  clearInterval(timer);
  const tookMs = performance.now() - startedMs;
  if (expected !== null && output !== expected)
    throw new Error(`${args.join(" ")} printed ${output.length} other bytes`);
  return { tookMs, peakMiB };
}

function readPeakMiB(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended
  }
}

function report(results) {
  const times = (name) => results[name].map(({ tookMs }) => tookMs);
  const memory = (name) => describeValues(results[name].map(({ peakMiB }) => peakMiB)).median;
  const held = Object.keys(results).map((name) => {
    const { median, p10, p90 } = describeValues(times(name));
    const ratio = describeRatios(times(name), times("node -e 0")).median.toFixed(2);
    const detail = `${ratio} × node, ${memory(name).toFixed(0)} MiB`;
    const most = name.startsWith("3 GB") ? MOST_MS : undefined;
    return printLine({ label: name, figure: median, unit: " ms", p10, p90, most, detail });
  });
  const figure = memory("3 GB log") - memory("3 kB log");
  held.push(printLine({ label: "memory, 3 GB over 3 kB", figure, unit: " MiB", most: MOST_MIB_MORE }));
  return held.every(Boolean);
}
