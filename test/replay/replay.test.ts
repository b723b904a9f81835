import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { makeRecordingFrame, makeRecordingStart } from "../../src/wire/recording.ts";
import { useAgents } from "../support/agents.ts";
import { useHandlers } from "../support/handlers.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import {
  makeSampleHandler,
  type RecordedSession,
  readEntries,
  recordSession,
} from "../support/recordings.ts";
import { SORTIE, useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const playAgent = useAgents();
const { start } = useHandlers(() => sortie.temp());
const STEPS = 6;
const sample = fileURLToPath(
  new URL("../../contestant_sdk/python/example_inference:handle", import.meta.url),
);

let recorded: RecordedSession;

/** Each of the tests beside it finds a recording. */
function useRecording() {
  beforeEach(async () => {
    const handler = await start(sample);
    recorded = await recordSession(sortie.temp(), handler, playAgent, { steps: STEPS, frameBytes: 100_000 });
    await handler.stop();
  });
}

/** Replays the recording with this handler, or this change to the sample. */
async function replay(handler: string, ...flags: string[]) {
  if (!handler.includes(":handle")) {
    writeFileSync(join(sortie.temp(), "changed.py"), makeSampleHandler(handler));
    return replay(`${join(sortie.temp(), "changed.py")}:handle`, ...flags);
  }
  const outcome = await sortie.run(["replay", recorded.file, "--handler", handler, "--gpu", "cpu", ...flags]);
  const document = flags.includes("--json") ? JSON.parse(outcome.stdout) : undefined;
  return { ...outcome, document };
}

describe("T48 a recorded session, played again without a gateway,", () => {
  useRecording();

  it("holds what the simulator and the agent said, byte for byte, and is given to the handler so", async () => {
    const parts = await readEntries(recorded.file);
    const frames = parts.flatMap((part) => ("payload" in part ? [part] : []));
    expect(frames.map(({ sid }) => String(sid))).toEqual(new Array(2 * STEPS).fill(recorded.sessionId));
    const list = (type: string) =>
      frames.filter((frame) => frame.type === type).map(({ payload }) => payload);
    expect(list("observation").map(hash)).toEqual(recorded.observations.map(hash));
    expect(list("action").map(hash)).toEqual(recorded.actions.map(hash));
    const times = frames.map(({ timeUs }) => timeUs);
    expect(times).toEqual([...times].sort((one, other) => one - other));

    const seen = join(sortie.temp(), "seen");
    const keep = `open(${JSON.stringify(seen)}, "ab").write(session_id.encode() + frame)`;
    const { document, exitCode } = await replay(keep, "--json");
    expect(exitCode).toBe(0);
    const given = recorded.observations.flatMap((observation) => [
      Buffer.from(recorded.sessionId),
      observation,
    ]);
    expect(hash(readFileSync(seen))).toEqual(hash(Buffer.concat(given)));
    expect(document.sessions).toMatchObject([{ observations: STEPS, compared: STEPS, equal: STEPS }]);
  });

  it("gives equal actions with the same handler", async () => {
    const { document, exitCode, stderr } = await replay(sample, "--json");
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    const percentiles = {
      p50: expect.any(Number),
      p95: expect.any(Number),
      p99: expect.any(Number),
      max: expect.any(Number),
    };
    expect(document).toEqual({
      ...{ schema: 1, handler: sample, tolerance: 0, passed: true, notPlayed: [], faults: [] },
      sessions: [
        {
          ...{
            file: recorded.file,
            info: expect.objectContaining({ sessionId: recorded.sessionId, task: "pick" }),
          },
          ...{ observations: STEPS, compared: STEPS, equal: STEPS, different: 0, unanswered: 0, faults: 0 },
          ...{
            firstFault: null,
            firstDifference: null,
            largest: {},
            isTorn: false,
            isLast: false,
            passed: true,
          },
          latency: { recorded: percentiles, replayed: percentiles },
        },
      ],
    });
  });

  it("tells in which joint another handler differs, and passes it within a tolerance", async () => {
    const change =
      'if count == 3: action["result"]["right_arm"]["values"][7] = [j + 0.25 for j in action["result"]["right_arm"]["values"][7]]';
    const { document, exitCode } = await replay(change, "--json");
    expect(exitCode).toBe(1);
    const [session] = document.sessions;
    expect(session).toMatchObject({ equal: STEPS - 1, different: 1, faults: 0, passed: false });
    expect(session.firstDifference).toMatchObject({ step: 3, path: "result.right_arm.values[7][0]" });
    expect(session.largest.right_arm).toBeCloseTo(0.25);
    const { exitCode: tolerated, stdout } = await replay(change, "--tolerance", "0.3");
    expect(tolerated).toBe(0);
    expect(stdout).toContain(`${STEPS} of ${STEPS} actions are equal to the recorded ones within 0.3.`);
  });

  it("goes on where the handler fails once, and says so", async () => {
    const { document, exitCode } = await replay('if count == 2: raise ValueError("no grip")', "--json");
    expect(exitCode).toBe(1);
    expect(document.sessions).toMatchObject([
      {
        ...{ observations: STEPS, equal: STEPS - 1, different: 0, faults: 1 },
        firstFault: { step: 2, message: expect.stringContaining("no grip") },
      },
    ]);
  });

  it("ends where the handler is too slow, or dies, and says so", async () => {
    const slow = await replay("if count == 2: time.sleep(60)", "--timeout", "1s");
    expect(slow.exitCode).toBe(1);
    expect(flatten(slow.stdout)).toContain("the handler failed at observation 2: it took longer than 1 s");
    const dead = await replay("if count == 2: os._exit(7)", "--json");
    expect(dead.exitCode).toBe(1);
    expect(dead.document.sessions).toMatchObject([
      { observations: 2, equal: 1, isLast: true, passed: false },
    ]);
  });
});

describe("the report", () => {
  useRecording();

  it("has no line that is wider than the terminal", async () => {
    const shift = 'action["result"]["left_arm"]["values"] = [[0.5] * 7] * 50';
    const { stdout } = await replay(shift);
    const [header, row] = stdout.split("\n");
    expect(header).toMatch(/^SESSION +CASE +FRAMES +EQUAL +DIFFER +FAILED +P50 THEN +P50 NOW$/);
    expect(row).toMatch(
      new RegExp(`^${recorded.sessionId.slice(0, 8)} +pick 0 +6 +0 +6 +0 +[\\d.]+ ms +[\\d.]+ ms$`),
    );
    expect(flatten(stdout)).toMatch(
      /first differs at observation 1: result\.left_arm\.values\[0\]\[0\] was .*, now 0\.5/,
    );
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("without a handler shows what recordings hold", async () => {
    const { exitCode, stdout } = await sortie.run(["replay", sortie.temp()]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^SESSION +CASE +FRAMES +SIZE +ANSWERS +TIME +P50 +P95 +SCORE\n\w{8} +pick 0 +6 +\d+ kB +6 /,
    );
    const { recordings } = await sortie.ask(["replay", recorded.file]);
    expect(recordings).toMatchObject([
      {
        ...{ file: recorded.file, observations: { count: STEPS }, actions: { count: STEPS } },
        result: { score: 1, steps: STEPS, detail: null },
      },
    ]);
  });
});

describe("a file", () => {
  useRecording();

  it("that is cut off is played as far as it goes", async () => {
    const whole = readFileSync(recorded.file);
    writeFileSync(recorded.file, whole.subarray(0, Math.round(0.6 * whole.length)));
    const { document, exitCode } = await replay(sample, "--json");
    expect(exitCode).toBe(0);
    expect(document.sessions).toMatchObject([{ observations: 3, equal: 3, isTorn: true, passed: true }]);
    expect((await sortie.run(["replay", recorded.file])).stdout).toContain("cut off: it has no end");
  });

  it("that is no recording ends it with exit code 2, and others are played all the same", async () => {
    const other = join(sortie.temp(), "other.sortie-recording");
    writeFileSync(other, "a text that is longer than the start of a recording");
    const alone = await sortie.ask(["replay", other, "--handler", sample, "--gpu", "cpu"]);
    expect(alone).toMatchObject({ exit: 2, error: { code: "recording_bad" } });
    const both = await sortie.ask(["replay", sortie.temp(), "--handler", sample, "--gpu", "cpu"]);
    expect(both).toMatchObject({
      ...{ exit: 2, passed: false, sessions: [{ passed: true }] },
      faults: [{ file: other, error: { code: "recording_bad" } }],
    });
  });
});

describe("without anything to play", () => {
  it.each<[string, string[], string]>([
    ["nothing", [], "usage"],
    ["a file that is not there", ["absent"], "file_unreadable"],
    ["a folder without recordings", ["."], "recordings_absent"],
    ["no handler where one was meant", [SORTIE, "--handler", ""], "value_bad"],
    ["a tolerance that is none", [SORTIE, "--handler", "x:handle", "--tolerance", "-1"], "value_bad"],
    ["no time", [SORTIE, "--handler", "x:handle", "--timeout", "0"], "value_bad"],
  ])("%s is the caller's mistake", async (_, args, code) => {
    expect(await sortie.ask(["replay", ...args])).toMatchObject({ exit: 2, error: { code } });
  });

  it.each([
    ["is not there", 2, undefined, /The handler .*late\.py:handle was not found/],
    [
      "does not load",
      1,
      "def load(): raise MemoryError('too large')\ndef handle(s, f): return f\n",
      /too large/,
    ],
  ])("a handler that %s ends it with exit code %i", async (_, exit, text, said) => {
    const file = join(sortie.temp(), "late.py");
    if (text !== undefined) writeFileSync(file, text);
    const { exitCode, stderr } = await sortie.run([
      "replay",
      SORTIE,
      "--handler",
      `${file}:handle`,
      "--gpu",
      "cpu",
    ]);
    expect([exitCode, stderr]).toEqual([exit, expect.stringMatching(said)]);
  });

  it("a handler whose thread is stuck in the system does not keep it from ending", async () => {
    const sid = Buffer.from("3f2b8c1e-7f0e-4c55-9a6e-6d8f9c1f2a3b");
    const facts = {
      caseId: null,
      jobUuid: null,
      board: null,
      task: "pick",
      index: 0,
      seed: 0,
      agentId: null,
    };
    const start = makeRecordingStart({
      ...facts,
      sessionId: String(sid),
      startedAt: new Date(0).toISOString(),
    });
    const payload = Buffer.from("look");
    const file = join(sortie.temp(), "one.sortie-recording");
    writeFileSync(
      file,
      Buffer.concat([start, makeRecordingFrame({ type: "observation", timeUs: 0, sid, payload })]),
    );
    execFileSync("mkfifo", [join(sortie.temp(), "pipe")]);
    const handler = join(sortie.temp(), "stuck.mjs");
    const pipe = JSON.stringify(join(sortie.temp(), "pipe"));
    writeFileSync(
      handler,
      `import { readFileSync } from "node:fs";\nexport const load = () => {};\nexport const handle = () => readFileSync(${pipe});\n`,
    );
    const flags = ["--handler", handler, "--gpu", "cpu", "--timeout", "1s"];
    const { exitCode, stdout } = await sortie.run(["replay", file, ...flags], { timeoutMs: 20_000 });
    expect(exitCode).not.toBe(0);
    expect(stdout).toContain("No action was compared.");
  });

  it("Ctrl-C ends it and its handler, with exit code 130", async () => {
    const file = join(sortie.temp(), "late.py");
    writeFileSync(
      file,
      `import time\ndef load(): open(${JSON.stringify(`${file}.begun`)}, "w"); time.sleep(600)\ndef handle(s, f): return f\n`,
    );
    const child = sortie.start(["replay", SORTIE, "--handler", `${file}:handle`, "--gpu", "cpu"]);
    await waitFor(() => existsSync(`${file}.begun`), { what: "the load" });
    child.kill("SIGINT");
    expect(await child.exitCode).toBe(130);
    await waitFor(() => findOwnProcesses().length === 0, {
      timeoutMs: 5_000,
      what: "the end of the handler",
    });
  });
});

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Lines as one: where a line is broken does not matter. */
function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
