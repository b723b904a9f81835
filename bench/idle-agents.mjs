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

/** What idle agents cost one gateway process: memory, and processor time for a round of pings; and what others notice. */
export async function run() {
  const count = Math.min(AGENTS, readFileLimit() - SPARE_FILES);
  if (count < AGENTS) console.log(`  scaled to ${count} agents: more files no process may open here`);
  const hops = [];
  const keep = async (hop) => hops.push(await hop) && hop;
  try {
    const empty = await keep(startGateway(count));
    const crowded = await keep(startGateway(count));
    const share = String(count / CLIENT_PROCESSES);
    for (let made = 0; made < CLIENT_PROCESSES; made += 1)
      await keep(startHop(...makeCommand(crowded, "idle", "idle-clients.mjs", share)));
    const rest = { empty: readMemoryMB(empty.pid), ...(await measureRest(crowded.pid)) };
    const calls = await measureCalls({
      empty: await openLive(empty, keep),
      crowded: await openLive(crowded, keep),
    });
    return report(count, rest, calls);
  } finally {
    for (const hop of hops.reverse()) await hop.stop();
  }
}

function startGateway(count) {
  return startHop(
    makeProgram("gateway.mjs", JSON.stringify({ pingMs: PING_MS, jobs: { live: 1, idle: count } })),
  );
}

/** An agent that works, and the connection of its simulator. */
async function openLive(gateway, keep) {
  const agent = await keep(startAgentHop(...makeCommand(gateway, "live", "agent.mjs")));
  return Promise.race([openWebSocket(`ws://127.0.0.1:${gateway.said.port}/live`), agent.failed]);
}

/** The command of agents of a job, and the environment with their token. */
function makeCommand({ said }, job, name, ...more) {
  const { uuid, token } = said.jobs[job];
  return [makeProgram(name, said.tunnelUrl, uuid, ...more), { env: { ...process.env, JOB_TOKEN: token } }];
}

function makeProgram(name, ...args) {
  return [process.execPath, fileURLToPath(new URL(`support/tunnel/${name}`, import.meta.url)), ...args];
}

/** Memory after some rounds of pings, and the processor time of one. */
async function measureRest(pid) {
  const startMs = readProcessorMs(pid);
  await sleep(PING_MS * PING_ROUNDS);
  return { memoryMB: readMemoryMB(pid), processorMs: (readProcessorMs(pid) - startMs) / PING_ROUNDS };
}

/** Calls spread over some rounds of pings, at both gateways in turn. */
async function measureCalls(connections) {
  const frame = makeFrame(FRAME_BYTES);
  const times = { empty: [], crowded: [] };
  const until = performance.now() + PING_MS * PING_ROUNDS;
  while (performance.now() < until) {
    for (const name of Object.keys(times))
      times[name].push(...(await measureSlot(connections[name], frame, 1)));
    await sleep(CALL_PAUSE_MS);
  }
  for (const connection of Object.values(connections)) await connection.close();
  return times;
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

function report(count, { empty, memoryMB, processorMs }, calls) {
  const held = printLine({
    label: `memory, ${count} idle agents`,
    figure: memoryMB,
    unit: " MB",
    most: MOST_MB,
    detail: `${empty.toFixed(0)} MB without, ${(((memoryMB - empty) * 1000) / count).toFixed(1)} kB each`,
  });
  printLine({ label: "processor time for a round of pings", figure: processorMs, unit: " ms" });
  for (const [name, label] of Object.entries({
    empty: "85 kB echo, no idle agents",
    crowded: "85 kB echo, among them",
  })) {
    const { median, p10, p90 } = describeValues(calls[name]);
    const detail = `p99 ${findShare(calls[name], 0.99).toFixed(2)} ms`;
    printLine({ label, figure: median, unit: " ms", p10, p90, detail });
  }
  return held;
}
