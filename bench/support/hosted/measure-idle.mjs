import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeFrame } from "../tunnel/frames.mjs";
import { measureSlot } from "../tunnel/measure-slot.mjs";
import { startHop } from "../tunnel/processes.mjs";
import { makeOutsideBoard, startChallenge } from "./challenge.mjs";
import { openLiveSession } from "./live-session.mjs";

const AGENTS = 10_000;
const CLIENT_PROCESSES = 2;
const CLIENTS = fileURLToPath(new URL("../tunnel/idle-clients.mjs", import.meta.url));
/** Files of a process besides its connections. */
const SPARE_FILES = 200;
const FRAME_BYTES = 85_000;
const CALL_PAUSE_MS = 10;
const TICK_MS = 10;
const LIVE_BOARDS = ["live", "live-too"];

/**
 * A hosted gateway with idle agents, whose own sides are two processes, and one without. What they cost at rest, over
 * some rounds of pings; then two live sessions among them and one at the other gateway are called in turn for a while.
 */
export async function measureIdle({ pingMs, restRounds, callsMs }) {
  const count = Math.min(AGENTS, readFileLimit() - SPARE_FILES);
  if (count < AGENTS) console.log(`  scaled to ${count} agents: more files no process may open here`);
  const hops = [];
  const keep = async (hop) => hops.push(await hop) && hop;
  try {
    const boards = Object.fromEntries(["idle", ...LIVE_BOARDS].map((name) => [name, makeOutsideBoard()]));
    const values = { boards, timers: { ping: `${pingMs / 1000}s` } };
    const empty = await keep(startChallenge(values));
    const crowded = await keep(startChallenge(values));
    const idle = await crowded.submit("idle");
    for (let made = 0; made < CLIENT_PROCESSES; made += 1) await keep(startIdle(crowded, idle, count));
    const emptyMB = readMemoryMB(empty.said.pid);
    const rest = await measureRest(crowded.said.pid, pingMs, restRounds);
    const connections = [["empty", await openLiveSession(empty, "live", keep)]];
    for (const board of LIVE_BOARDS)
      connections.push(["crowded", await openLiveSession(crowded, board, keep)]);
    const times = await measureCalls(connections, callsMs);
    const lastMB = readMemoryMB(crowded.said.pid);
    const fault = findFault(await crowded.metrics(), count + LIVE_BOARDS.length);
    for (const [, connection] of connections) await connection.close();
    return { count, emptyMB, ...rest, lastMB, times, fault };
  } finally {
    for (const hop of hops.reverse()) await hop.stop();
  }
}

function startIdle({ said }, { uuid, job_token: token }, count) {
  const argv = [process.execPath, CLIENTS, said.tunnel, uuid, String(count / CLIENT_PROCESSES)];
  return startHop(argv, { env: { ...process.env, JOB_TOKEN: token } });
}

/** Memory after some rounds of pings, and the processor time of one. */
async function measureRest(pid, pingMs, rounds) {
  const startMs = readProcessorMs(pid);
  await sleep(pingMs * rounds);
  return { memoryMB: readMemoryMB(pid), processorMs: (readProcessorMs(pid) - startMs) / rounds };
}

async function measureCalls(connections, callsMs) {
  const frame = makeFrame(FRAME_BYTES);
  const times = { empty: [], crowded: [] };
  const until = performance.now() + callsMs;
  while (performance.now() < until) {
    for (const [name, connection] of connections)
      times[name].push(...(await measureSlot(connection, frame, 1)));
    await sleep(CALL_PAUSE_MS);
  }
  return times;
}

/** In words, where an agent is not there any more or has dialled again. */
function findFault(metrics, count) {
  const read = (name) =>
    Number(
      metrics
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")
        .at(-1) ?? 0,
    );
  const running = read('sortie_agents{state="running"}');
  const redials = read('sortie_dials_total{resumed="true"}');
  if (running === count && redials === 0) return undefined;
  return `${running} of ${count} agents are there, ${redials} dialled again`;
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
