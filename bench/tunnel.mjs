import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { makeFrame } from "./support/tunnel/frames.mjs";
import { measureSlot } from "./support/tunnel/measure-slot.mjs";
import { findNginxFault } from "./support/tunnel/nginx.mjs";
import { openPaths, PATHS } from "./support/tunnel/paths.mjs";
import { findPython } from "./support/tunnel/python.mjs";
import { compareMedians, compareRates, printPaths } from "./support/tunnel/report-paths.mjs";

/**
 * The size of an observation, and how many calls a slot makes with it: few, so that the paths are compared within half
 * a second, whatever else the machine is doing. Then what is promised.
 */
const SIZES = [
  { label: "85 kB", bytes: 85_000, calls: 30, rounds: 60, inAgent: 2 },
  { label: "0.7 MB", bytes: 700_000, calls: 10, rounds: 80, inAgent: 1.2, apart: 1.7, isRated: true },
  { label: "2 MB", bytes: 2_000_000, calls: 6, rounds: 80, inAgent: 1.2, apart: 1.7, isRated: true },
  { label: "8 MB", bytes: 8_000_000, calls: 3, rounds: 40, inAgent: 1.2, apart: 1.7 },
];
const SHORT = { inAgent: "in the agent", inThread: "in a thread", inChild: "in Python" };
const ACTION_BYTES = 7_500;
const ACTION_ROUNDS = 20;

/** Simulator, gateway and agent, each a process, against nginx and against an agent on Python's websockets. */
export async function run() {
  const python = findPython();
  const fault = findNginxFault() ?? python.fault;
  if (fault !== undefined) {
    console.error(`  ${fault}`);
    return false;
  }
  console.log(`  compared with the agent on websockets ${python.version}`);
  const { connections, failed, close } = await openPaths(python.program);
  try {
    return await Promise.race([measureAll(connections), failed]);
  } finally {
    await close();
  }
}

async function measureAll(connections) {
  const held = [];
  for (const size of SIZES) held.push(...(await measureSize(connections, size)));
  for (const size of SIZES) await measureActions(connections, size);
  return held.every(Boolean);
}

/** Echoes: the reply is as long as the observation. */
async function measureSize(connections, size) {
  const results = await measurePaths(connections, size.rounds, size.calls, makeFrame(size.bytes));
  printPaths(`${size.label} there and back`, results, PATHS);
  return judge(results, size);
}

/** Replies as long as a real action. A TCP pipe has no such thing. */
async function measureActions({ tcp: _, ...connections }, { label, bytes, calls }) {
  const results = await measurePaths(connections, ACTION_ROUNDS, calls, makeFrame(bytes, ACTION_BYTES));
  printPaths(`${label} there, 7.5 kB back`, results, PATHS);
}

function measurePaths(connections, rounds, calls, frame) {
  const cases = Object.entries(connections).map(([path, connection]) => [
    path,
    () => measureSlot(connection, frame, calls),
  ]);
  return measureRounds(rounds, Object.fromEntries(cases));
}

function judge(results, { label, inAgent, apart, isRated }) {
  const line = (path, base, { median: figure, p10, p90 }, most) =>
    printLine({ label: `${label}, ${SHORT[path]}, ${base}`, figure, unit: " ×", p10, p90, most });
  const byNginx = (path, most) => line(path, "over nginx", compareMedians(results, path, "nginx"), most);
  const byRate = (path) => line(path, "over websockets, mean", compareRates(results, path, "websockets"), 1);
  const held = [byNginx("inAgent", inAgent)];
  for (const path of ["inThread", "inChild"]) {
    held.push(byNginx(path, apart));
    if (isRated) held.push(byRate(path));
  }
  return held;
}
