import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeValues, findShare } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { openWebSocket } from "./support/tunnel/callers.mjs";
import { makeFrame } from "./support/tunnel/frames.mjs";
import { measureSlot } from "./support/tunnel/measure-slot.mjs";
import { startAgentHop, startHop } from "./support/tunnel/processes.mjs";

const AGENTS = 10_000;
const CLIENT_PROCESSES = 2;
const MOST_MB = 150;
/** Files of a process besides its connections. */
const SPARE_FILES = 200;
const PING_MS = 2_000;
const PING_ROUNDS = 5;
const FRAME_BYTES = 85_000;
const CALL_PAUSE_MS = 10;
const TICK_MS = 10;

const program = (name, ...args) => [
  process.execPath,
  fileURLToPath(new URL(`support/tunnel/${name}`, import.meta.url)),
  ...args,
];

/** What idle agents cost one gateway process: memory, and processor time for a round of pings; and what others notice. */
export async function run() {
  const count = Math.min(AGENTS, readFileLimit() - SPARE_FILES);
  if (count < AGENTS) console.log(`  scaled to ${count} agents: more files no process may open here`);
  const hops = [];
  const keep = async (hop) => hops.push(await hop) && hop;
  try {
    const jobs = { live: 1, idle: count };
    const gateway = await keep(startHop(program("gateway.mjs", JSON.stringify({ pingMs: PING_MS, jobs }))));
    const { tunnelUrl, port } = gateway.said;
    const start = (starter, name, job, ...more) => {
      const { uuid, token } = gateway.said.jobs[job];
      const env = { ...process.env, JOB_TOKEN: token };
      return keep(starter(program(name, tunnelUrl, uuid, ...more), { env }));
    };
    await start(startAgentHop, "agent.mjs", "live");
    const connection = await openWebSocket(`ws://127.0.0.1:${port}/live`);
    const alone = await measureRest(gateway.pid, connection);
    const share = String(count / CLIENT_PROCESSES);
    for (let made = 0; made < CLIENT_PROCESSES; made += 1)
      await start(startHop, "idle-clients.mjs", "idle", share);
    const among = await measureRest(gateway.pid, connection);
    await connection.close();
    return report(count, alone, among);
  } finally {
    for (const hop of hops.reverse()) await hop.stop();
  }
}

/**
 * What the gateway costs over some rounds of pings, first at rest, then with an agent at work: its memory, its processor
 * time a round, and the times of calls that are spread over the rounds.
 */
async function measureRest(pid, connection) {
  const startMs = readProcessorMs(pid);
  await sleep(PING_MS * PING_ROUNDS);
  const processorMs = (readProcessorMs(pid) - startMs) / PING_ROUNDS;
  const memoryMB = readMemoryMB(pid);
  const frame = makeFrame(FRAME_BYTES);
  const times = [];
  const until = performance.now() + PING_MS * PING_ROUNDS;
  while (performance.now() < until) {
    times.push(...(await measureSlot(connection, frame, 1)));
    await sleep(CALL_PAUSE_MS);
  }
  return { processorMs, memoryMB, times };
}

function readProcessorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function readMemoryMB(pid) {
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024) / 1e6;
}

/** Node itself has raised its own limit as far as it may. */
function readFileLimit() {
  return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))[1]);
}

function report(count, alone, among) {
  const perAgent = ((among.memoryMB - alone.memoryMB) * 1000) / count;
  const held = printLine({
    label: `memory of the gateway, ${count} idle agents`,
    figure: among.memoryMB,
    unit: " MB",
    most: MOST_MB,
    detail: `${alone.memoryMB.toFixed(0)} MB without, ${perAgent.toFixed(1)} kB each`,
  });
  printLine({
    label: "its processor time for a round of pings",
    figure: among.processorMs,
    unit: " ms",
    detail: `${alone.processorMs.toFixed(0)} ms without`,
  });
  for (const [label, { times }] of Object.entries({
    "85 kB echo, no idle agents": alone,
    "85 kB echo, among them": among,
  })) {
    const { median, p10, p90 } = describeValues(times);
    printLine({
      label,
      figure: median,
      unit: " ms",
      p10,
      p90,
      detail: `p99 ${findShare(times, 0.99).toFixed(2)} ms`,
    });
  }
  return held;
}
