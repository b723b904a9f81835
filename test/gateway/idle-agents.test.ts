import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { makePlainHandler, useAgents } from "../support/agents.ts";
import { logIn, useChallenge } from "../support/challenge.ts";
import type { GatewayProcess } from "../support/gateway-process.ts";
import { dialSimulator } from "../support/raw-simulator.ts";
import { waitFor } from "../support/wait-for.ts";

const AGENTS = 2_000;
const STAY_MS = 12_000;
/** A tenth of the real one: as many rounds as in two minutes. */
const PING = "2s";
/** Of the 6 that are due, so that a busy machine may miss some. */
const LEAST_ROUNDS = 3;
const MOST_BYTES_EACH = 15_000;
const FRAME_BYTES = 85_000;
const MARK_BYTES = 8;
const PAUSE_MS = 20;
const CLIENTS = fileURLToPath(new URL("../../bench/support/tunnel/idle-clients.mjs", import.meta.url));

const hosted = useChallenge();
const startAgent = useAgents();

describe("T32 thousands of idle agents", () => {
  it(`${AGENTS} of them stay, their pings are answered, and two sessions among them are served`, {
    timeout: 180_000,
  }, async () => {
    const boards = { live: makeOutsideBoard(2), idle: makeOutsideBoard(1) };
    const timers = { ping: PING, read_deadline: "60s" };
    const values = { boards, timers, recordings: "off", policy: { openpi: "off", corobot: "127.0.0.1:0" } };
    await hosted.addUser("ann@example.org", { parallelism: AGENTS, quota: 10 });
    const gateway = await hosted.start(values, ["--open-simulators"]);
    const ann = await logIn(gateway.api);
    const [live, idle] = [await ann.submit("live", "live"), await ann.submit("idle", "idle")];

    for (let number = 0; number < 2; number += 1) startReplier(gateway, live);
    const sessions = await Promise.all([openSession(gateway), openSession(gateway)]);
    for (const session of sessions) await session.ask(100);
    const emptyBytes = await measureMemory(gateway.pid);

    const clients = await startIdle(gateway, idle);
    const untilMs = performance.now() + STAY_MS;
    await Promise.all(sessions.map((session) => session.askUntil(untilMs)));

    const pings = await clients.countPings();
    expect(pings.least).toBeGreaterThanOrEqual(LEAST_ROUNDS);
    await waitFor(async () => (await readMetric(gateway, "sortie_pongs_received_total")) >= pings.all, {
      what: `the answers to ${pings.all} pings`,
    });
    const each = ((await measureMemory(gateway.pid)) - emptyBytes) / AGENTS;
    expect(each).toBeLessThan(MOST_BYTES_EACH);

    expect(await readMetric(gateway, 'sortie_agents{state="running"}')).toBe(AGENTS + 2);
    expect(await readMetric(gateway, 'sortie_dials_total{resumed="false"}')).toBe(AGENTS + 2);
    expect(await readMetric(gateway, 'sortie_dials_total{resumed="true"}')).toBe(0);
    expect(await readText(gateway)).not.toMatch(
      /^sortie_(links_ended|oddities|faults|dials_refused)_total\{/m,
    );
    const asked = sessions.reduce((sum, session) => sum + session.asked(), 0);
    expect(asked).toBeGreaterThan(200 + 2 * LEAST_ROUNDS);
    expect(await readMetric(gateway, "sortie_frames_sent_total")).toBe(asked);
    expect(await readMetric(gateway, "sortie_frames_received_total")).toBe(asked);
    expect(clients.said()).toBe("");
  });
});

function makeOutsideBoard(cases: number) {
  return { simulator: "outside", payload: "opaque", tasks: { pick: { cases, seed: 1 } } };
}

/** An agent whose reply is the beginning of the observation, and its length. */
function startReplier(
  { tunnel }: GatewayProcess,
  job: { readonly uuid: string; readonly job_token: string },
) {
  const handle = async (_: Uint8Array, frame: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(frame.length);
    return Buffer.concat([frame.subarray(0, MARK_BYTES), length]);
  };
  const handler = makePlainHandler({ handle });
  const timers = { pingMs: 20_000, pongMs: 60_000, gatewayPingMs: 60_000, stallMs: 60_000, dialMs: 20_000 };
  startAgent({
    gatewayUrl: tunnel,
    jobUuid: job.uuid,
    token: job.job_token,
    payload: "opaque",
    handler,
    timers,
  });
}

/** The connection of a simulator; each reply is checked to be that of its own observation, and the only one. */
async function openSession({ policy }: GatewayProcess) {
  const simulator = await dialSimulator(`${policy.corobot}/?board=live`);
  onTestFinished(() => simulator.webSocket.terminate());
  const frame = randomFillSync(Buffer.alloc(FRAME_BYTES));
  let asked = 0;
  const askOnce = async () => {
    asked += 1;
    frame.writeUInt32BE(asked, MARK_BYTES - 4);
    const reply = await simulator.ask(Buffer.from(frame));
    expect(reply.readUInt32BE(MARK_BYTES - 4)).toBe(asked);
    expect(reply.subarray(0, 4)).toEqual(frame.subarray(0, 4));
    expect(reply.readUInt32BE(MARK_BYTES)).toBe(FRAME_BYTES);
    expect(simulator.frames).toHaveLength(asked);
  };
  return {
    asked: () => asked,
    ask: async (times: number) => {
      for (let made = 0; made < times; made += 1) await askOnce();
    },
    askUntil: async (untilMs: number) => {
      while (performance.now() < untilMs) {
        await askOnce();
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** The idle agents, in a process of their own. It ends by itself when its input does. */
async function startIdle(
  { tunnel }: GatewayProcess,
  job: { readonly uuid: string; readonly job_token: string },
) {
  const child = spawn(process.execPath, [CLIENTS, tunnel, job.uuid, String(AGENTS)], {
    env: { ...process.env, JOB_TOKEN: job.job_token },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async () => {
    const line = await Promise.race([lines.next(), ended.then(() => undefined)]);
    if (line?.value === undefined) throw new Error(`the idle agents have ended: ${said}`);
    return JSON.parse(line.value);
  };
  expect(await readLine()).toEqual({ opened: AGENTS });
  return {
    said: () => said,
    countPings: async (): Promise<{ least: number; most: number; all: number }> => {
      child.stdin.write("\n");
      return readLine();
    },
  };
}

/** Resident memory: the least of a few looks, since garbage comes and goes. */
async function measureMemory(pid: number): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    looks.push(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024);
    await sleep(200);
  }
  return Math.min(...looks);
}

async function readText({ api }: GatewayProcess): Promise<string> {
  return (await fetch(`${api}/metrics`)).text();
}

/** 0 where it was not counted yet. */
async function readMetric(gateway: GatewayProcess, name: string): Promise<number> {
  const line = (await readText(gateway)).split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length));
}
