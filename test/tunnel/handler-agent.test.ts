import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fastTimers, useAgents } from "../support/agents.ts";
import { type Stage, startStage } from "../support/gateway-stage.ts";
import { useHandlers } from "../support/handlers.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const folder = useTempFolder();
const { start, write, readLog } = useHandlers(folder);
const playAgent = useAgents();

/** The handler blocks for twice the silence after which either side gives a link up. */
const BLOCK_MS = 3_000;
const timers = { ...fastTimers, pingMs: 200, pongMs: 1_300, gatewayPingMs: 1_500 };
const gatewayTimers = { pingMs: 100, readDeadlineMs: 1_500 };

const ECHO = "def handle(session_id, frame):\n    return frame\n";

/** An agent over a handler of this text, and its job at a gateway. */
async function playHandler(file: string, text: string, caseCount = 1) {
  write(file, text);
  const handler = await start(file.endsWith(".py") ? `${file}:handle` : file);
  const stage = await startStage({ timers: gatewayTimers });
  const job = stage.addJob({ caseCount, parallelism: 1 });
  const options = { gatewayUrl: stage.tunnelUrl, jobUuid: job.uuid, token: job.token };
  const played = playAgent({ ...options, handler, payload: "opaque", timers });
  return { stage, job, played };
}

/** Both sides' pings were answered all the time, over one link. */
function expectLively(stage: Stage, sinceMs: number) {
  expect(stage.find("dialed")).toHaveLength(1);
  const pongs = stage.find("agent_pong").filter(({ monotonicMs }) => monotonicMs > sinceMs);
  expect(pongs.length).toBeGreaterThan((0.3 * BLOCK_MS) / gatewayTimers.pingMs);
}

describe("T24 a handler that blocks for a minute loses no heartbeat", () => {
  const SECONDS = BLOCK_MS / 1000;
  it.each([
    [
      "in Python",
      "policy.py",
      `import time\ndef load(): pass\ndef handle(s, f):\n    time.sleep(${SECONDS})\n    return f\n`,
    ],
    [
      "without giving the interpreter away",
      "policy.py",
      `import ctypes\ndef load(): pass\ndef handle(s, f):\n    ctypes.PyDLL(None).sleep(${SECONDS})\n    return f\n`,
    ],
    [
      "in JavaScript",
      "policy.mjs",
      `export const load = () => {};\nexport function handle(s, f) { const end = Date.now() + ${BLOCK_MS}; while (Date.now() < end); return f; }`,
    ],
  ])("%s", async (_, file, text) => {
    const { stage, job, played } = await playHandler(file, text);
    const { policy, finish } = await stage.nextCase();
    const sinceMs = performance.now();
    expect(Buffer.from(await policy.infer(Buffer.from("look"))).toString()).toBe("look");
    expectLively(stage, sinceMs);
    finish();
    await job.ended;
    expect(await played.agent.ended).toMatchObject({
      outcome: "drained",
      report: { redials: 0, replies: 1 },
    });
    const frame = played.events.find(({ type }) => type === "frame");
    expect(frame?.handlerMs).toBeGreaterThan(BLOCK_MS - 50);
    // No other part had to wait for the handler.
    for (const part of [frame?.queueMs, frame?.checkMs, frame?.sendMs]) expect(part).toBeLessThan(BLOCK_MS);
  });
});

it("T23 a warm-up of minutes in Python loses no heartbeat", async () => {
  const text = `import time\ndef load(): time.sleep(${BLOCK_MS / 1000})\n${ECHO}`;
  const sinceMs = performance.now();
  const { stage, job } = await playHandler("policy.py", text);
  const { finish } = await stage.nextCase();
  expectLively(stage, sinceMs);
  finish();
  expect((await job.ended).cases).toHaveLength(1);
});

it("T22 a warm-up that throws in Python ends the agent, with the trace in the log", async () => {
  const { stage, played } = await playHandler("policy.py", "def handle(s, f): return f[0]\n");
  const end = await played.agent.ended;
  expect(end).toMatchObject({ outcome: "failed", error: { code: "handler_fault" } });
  expect(readLog()).toMatch(/Traceback[\s\S]*policy\.py", line 1, in handle[\s\S]*IndexError/);
  expect(findOwnProcesses()).toEqual([]);
  await stage.waitForEvent("warm_up_failed");
});

it("T25 a handler in Python that throws once is told so, and goes on", async () => {
  const text = "def handle(s, f):\n    if f == b'bad': raise ValueError('no camera')\n    return f\n";
  const { stage, job, played } = await playHandler("policy.py", text, 2);
  const first = await stage.nextCase();
  const answer = Buffer.from(await first.policy.infer(Buffer.from("bad")));
  expect(answer.toString("latin1")).toContain("ValueError: no camera");
  first.finish();
  const second = await stage.nextCase();
  expect(Buffer.from(await second.policy.infer(Buffer.from("good"))).toString()).toBe("good");
  second.finish();
  await job.ended;
  expect(await played.agent.ended).toMatchObject({ outcome: "drained", report: { handlerFaults: 1 } });
});

it("a handler closes its session before a drain ends it", async () => {
  const text = `import time\ndef close(session_id):\n    time.sleep(0.3)\n    print('closed', session_id)\n${ECHO}`;
  const { stage, job, played } = await playHandler("policy.py", text);
  const { policy, finish } = await stage.nextCase();
  await policy.infer(Buffer.from("look"));
  finish();
  await job.ended;
  expect(await played.agent.ended).toMatchObject({ outcome: "drained", report: { handlerFaults: 0 } });
  expect(readLog()).toBe(`closed ${policy.sessionId}\n`);
});

it("a handler has time to close its session and for its exit handlers at a drain", async () => {
  const text =
    "import atexit, time\ndef say_end():\n    time.sleep(1.8)\n    print('ended')\natexit.register(say_end)\n" +
    `def close(session_id):\n    time.sleep(1.3)\n    print('closed')\n${ECHO}`;
  const { stage, job, played } = await playHandler("policy.py", text);
  const { policy, finish } = await stage.nextCase();
  await policy.infer(Buffer.from("look"));
  finish();
  await job.ended;
  expect(await played.agent.ended).toMatchObject({ outcome: "drained", report: { handlerFaults: 0 } });
  expect(readLog()).toBe("closed\nended\n");
});

it.each(["at a stop", "at a stop during a drain"])(
  "a handler that will not end is ended soon %s",
  async (when) => {
    const text = `import atexit, time\natexit.register(time.sleep, 600)\ndef close(s):\n    print('closing')\n    time.sleep(600)\n${ECHO}`;
    const { stage, played } = await playHandler("policy.py", text);
    const { policy, finish } = await stage.nextCase();
    await policy.infer(Buffer.from("look"));
    if (when !== "at a stop") {
      finish();
      await waitFor(() => readLog().includes("closing"));
    }
    const sinceMs = performance.now();
    await played.agent.stop();
    expect(performance.now() - sinceMs).toBeLessThan(5_000);
    expect((await played.agent.ended).report.handlerFaults).toBe(0);
    expect(findOwnProcesses()).toEqual([]);
  },
);

it("a handler that dies is told to the gateway, and the agent does not hold its slot in vain", async () => {
  const text = "import ctypes\ndef load(): pass\ndef handle(s, f): return ctypes.string_at(0)\n";
  const { stage, played } = await playHandler("policy.py", text);
  const { policy } = await stage.nextCase();
  const answer = Buffer.from(await policy.infer(Buffer.from("look")));
  expect(answer.toString("latin1")).toContain("SIGSEGV");
  expect(await played.agent.ended).toMatchObject({ outcome: "failed", error: { code: "handler_died" } });
  expect(findOwnProcesses()).toEqual([]);
});

it("T30 frames of megabytes go to Python and back as they are", async () => {
  const { stage, job, played } = await playHandler("policy.py", ECHO);
  const { policy, finish } = await stage.nextCase();
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  for (const megabytes of [0.7, 2, 8, 16, 63]) {
    const observation = randomBytes(megabytes * 1024 * 1024);
    expect(hash(await policy.infer(observation))).toBe(hash(observation));
  }
  finish();
  await job.ended;
  expect(await played.agent.ended).toMatchObject({ outcome: "drained", report: { redials: 0 } });
});
