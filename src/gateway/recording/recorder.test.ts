import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { canMount, useMounts } from "../../../test/support/mounts.ts";
import { readEntries } from "../../../test/support/recordings.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { systemClock } from "../../base/clock.ts";
import type { SortieError } from "../../base/error.ts";
import { openRecorder } from "./recorder.ts";

const folder = useTempFolder();
const facts = { caseId: 7, jobUuid: "job", board: "instruction", task: "pick", index: 0, seed: 40 };
const kilobyte = Buffer.alloc(1000, "x");

function open(maxBytes = 1e9, place = join(folder(), "recordings")) {
  const faults: SortieError[] = [];
  const recorder = openRecorder({ folder: place, maxBytes }, systemClock, (fault) => faults.push(fault));
  onTestFinished(() => recorder.close(5_000));
  const openTape = (sessionId: string = randomUUID()) =>
    recorder.openTape({ ...facts, sessionId, agentId: "left" });
  /** A recording of about so many kB that has ended. */
  const record = async (kilobytes: number, sessionId?: string) => {
    const tape = openTape(sessionId);
    for (let count = 0; count < kilobytes; count += 1) tape.add("observation", kilobyte);
    await tape.end({ score: 1, steps: kilobytes });
    return tape.file;
  };
  return { recorder, faults, openTape, record, place };
}

describe("a tape", () => {
  it("keeps what was added as it was at that moment, with times, and how the case ended", async () => {
    const { recorder, openTape, faults } = open();
    const sessionId = randomUUID();
    const tape = openTape(sessionId);
    const observation = Buffer.from([1, 2, 3]);
    tape.add("observation", observation);
    observation.fill(0);
    tape.add("action", Buffer.from("act"));
    await tape.end({ score: 0.5, steps: 1 });
    expect(tape.file).toBe(`${sessionId}.sortie-recording`);
    const path = recorder.findRecording(tape.file as string) as string;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const sid = Buffer.from(sessionId);
    const timeUs = expect.any(Number);
    expect(await readEntries(path)).toEqual([
      {
        type: "info",
        info: { ...facts, sessionId, agentId: "left", startedAt: expect.stringMatching(/Z$/) },
      },
      { type: "observation", timeUs, sid, payload: Buffer.from([1, 2, 3]) },
      { type: "action", timeUs, sid, payload: Buffer.from("act") },
      { type: "end", timeUs, result: { score: 0.5, steps: 1, detail: null } },
    ]);
    expect(faults).toEqual([]);
  });

  it("begins anew where the session is played again, and takes nothing behind its end", async () => {
    const { recorder, record, openTape } = open();
    const sessionId = randomUUID();
    const file = (await record(50, sessionId)) as string;
    const tape = openTape(sessionId);
    tape.add("observation", kilobyte);
    await tape.end({ score: null, steps: 0, detail: "the agent is gone" });
    tape.add("observation", kilobyte);
    await tape.end({ score: 1, steps: 1 });
    const parts = await readEntries(recorder.findRecording(file) as string);
    expect(parts.map(({ type }) => type)).toEqual(["info", "observation", "end"]);
    expect(parts.at(-1)).toMatchObject({ result: { score: null, detail: "the agent is gone" } });
  });

  it("records nothing where the session has no id of ours, is recorded already, or the recorder is closed", async () => {
    const { recorder, openTape, place } = open();
    const sessionId = randomUUID();
    openTape(sessionId);
    expect(openTape("../../etc/passwd").file).toBeUndefined();
    expect(openTape(sessionId).file).toBeUndefined();
    await recorder.close(5_000);
    expect(openTape().file).toBeUndefined();
    expect(readdirSync(place)).toEqual([]);
  });

  it("that is left open when the recorder is closed can be read up to there", async () => {
    const { recorder, openTape } = open();
    const tape = openTape();
    tape.add("observation", kilobyte);
    await recorder.close(5_000);
    const parts = await readEntries(recorder.findRecording(tape.file as string) as string);
    expect(parts.map(({ type }) => type)).toEqual(["info", "observation", "torn"]);
  });

  it("that waits too long for the disk is given up: the case is not held up, and memory has a bound", async () => {
    const { openTape, faults, recorder } = open();
    const tape = openTape();
    const large = Buffer.alloc(40 * 1024 * 1024);
    for (let count = 0; count < 5; count += 1) tape.add("observation", large);
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ends early: the disk is too slow, and \d+ MB wait for it already\.$/),
    ]);
    await tape.end({ score: 1, steps: 5 });
    expect(
      tape.file === undefined ? [] : await readEntries(recorder.findRecording(tape.file) as string),
    ).toEqual([]);
  });
});

describe("all recordings together", () => {
  it("stay under their size: the oldest that have ended go, and none that is being made", async () => {
    const { record, openTape, recorder, faults, place } = open(30_000);
    const live = openTape();
    live.add("observation", kilobyte);
    const files: unknown[] = [];
    for (let count = 0; count < 6; count += 1) {
      files.push(await record(8));
      expect(measure(place)).toBeLessThanOrEqual(30_000);
    }
    expect(files.map((file) => recorder.findRecording(file as string) !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    await live.end({ score: 1, steps: 1 });
    expect(recorder.findRecording(live.file as string)).toBeDefined();
    expect(faults).toEqual([]);
  });

  it("that is too small for one ends that one early, and costs no other", async () => {
    const { record, recorder, faults, openTape } = open(30_000);
    const kept = await record(5);
    const tape = openTape();
    tape.add("observation", kilobyte);
    tape.add("observation", Buffer.alloc(40_000));
    tape.add("action", kilobyte);
    await tape.end({ score: 1, steps: 1 });
    expect(faults.map(({ code }) => code)).toEqual(["recording_broken"]);
    const parts = await readEntries(recorder.findRecording(tape.file as string) as string);
    expect(parts.map(({ type }) => type)).toEqual(["info", "observation", "torn"]);
    expect(recorder.findRecording(kept as string)).toBeDefined();
  });

  it("are counted anew at the start, by age, and nothing else in the folder is touched", async () => {
    const place = join(folder(), "recordings");
    mkdirSync(place);
    const names = [3, 1, 2].map((age) => {
      const name = `${randomUUID()}.sortie-recording`;
      writeFileSync(join(place, name), Buffer.alloc(10_000));
      utimesSync(join(place, name), 1000 - age, 1000 - age);
      return name;
    });
    for (const name of ["notes", "x.sortie-recording"])
      writeFileSync(join(place, name), Buffer.alloc(40_000));
    const { recorder, record } = open(25_000, place);
    await waitFor(() => !existsSync(join(place, names[0] as string)), { what: "the oldest to go" });
    await record(8);
    expect(names.map((name) => recorder.findRecording(name) !== undefined)).toEqual([false, true, false]);
    expect(existsSync(join(place, "notes")) && existsSync(join(place, "x.sortie-recording"))).toBe(true);
  });
});

describe("a recording is found", () => {
  it.each(["../gateway.db", "gateway.db", "", ".", "a/../b.sortie-recording", "x.sortie-recording", "\0"])(
    "not by the name %j",
    (name) => expect(open().recorder.findRecording(name)).toBeUndefined(),
  );

  it("not where it is gone, or leads elsewhere", () => {
    const { recorder, place } = open();
    const name = `${randomUUID()}.sortie-recording`;
    expect(recorder.findRecording(name)).toBeUndefined();
    symlinkSync("/etc/passwd", join(place, name));
    expect(recorder.findRecording(name)).toBeUndefined();
  });
});

describe("a folder that is removed while it is used", () => {
  it("is made again and told, and what comes next is recorded in it", async () => {
    const { recorder, faults, openTape, record, place } = open();
    await record(10);
    const tape = openTape();
    tape.add("observation", kilobyte);
    await waitFor(() => readdirSync(place).length === 2, { what: "a second recording" });
    recorder.keepFolder();
    expect(faults).toEqual([]);
    rmSync(place, { recursive: true });
    for (const _ of [1, 2]) recorder.keepFolder();
    tape.add("observation", kilobyte);
    await tape.end({ score: 1, steps: 1 });
    expect(faults).toMatchObject([{ code: "recordings_lost" }]);
    expect([recorder.isBroken, recorder.bytes, readdirSync(place)]).toEqual([true, 0, []]);
    const next = (await record(1)) as string;
    expect(recorder.findRecording(next)).toBeDefined();
    expect(recorder.isBroken).toBe(false);
  });

  it("is made again once it can be", async () => {
    const { recorder, record, place } = open();
    rmSync(place, { recursive: true });
    writeFileSync(place, "in its place");
    recorder.keepFolder();
    expect(await record(1)).toBeUndefined();
    rmSync(place);
    recorder.keepFolder();
    expect(await record(1)).toBeDefined();
  });
});

describe.runIf(canMount())("a disk", () => {
  const { mountSmall, mountReadOnly } = useMounts();

  it("that is full ends the recording at its last whole entry, is told once, and harms no case", async () => {
    const place = join(folder(), "small");
    mountSmall(place, 256);
    const { record, openTape, recorder, faults } = open(1e9, place);
    const tape = openTape();
    for (let count = 0; count < 400; count += 1) tape.add("observation", kilobyte);
    await tape.end({ score: 1, steps: 400 });
    await record(400);
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^The recording .*\.sortie-recording ends early: less than 13.1 kB would be free/,
      ),
    ]);
    const path = recorder.findRecording(tape.file as string) as string;
    const parts = await readEntries(path);
    expect(parts.length).toBeGreaterThan(100);
    expect(parts.at(-1)).toEqual({ type: "torn" });
    expect(readFileSync(path).subarray(-1000)).toEqual(kilobyte);
  });

  it("keeps a reserve, which others can write to", async () => {
    const place = join(folder(), "small");
    mountSmall(place, 2048);
    const { record, recorder, faults } = open(1e9, place);
    expect(await record(4000)).toBeDefined();
    expect(recorder.isBroken).toBe(true);
    expect(faults).toMatchObject([{ code: "recording_broken" }]);
    writeFileSync(join(place, "database"), Buffer.alloc(90 * 1024));
  });

  it("that takes nothing leaves no file, and is told again after a recording that was whole", async () => {
    const place = join(folder(), "small");
    mountSmall(place, 64);
    const { record, recorder, faults } = open(1e9, place);
    const filler = join(place, "filler");
    const fill = () => {
      try {
        writeFileSync(filler, Buffer.alloc(128 * 1024));
      } catch {
        // full, as is wanted
      }
    };
    fill();
    expect([await record(1), await record(1)]).toEqual([undefined, undefined]);
    writeFileSync(filler, "");
    expect(recorder.findRecording((await record(1)) as string)).toBeDefined();
    fill();
    expect(await record(8)).toBeUndefined();
    expect(faults.length).toBe(2);
    expect(readdirSync(place).length).toBe(2);
  });

  it("that is read-only is refused at the start", () => {
    mountReadOnly(folder());
    expect(() => open(1e9, folder())).toThrow(expect.objectContaining({ code: "recordings_unusable" }));
  });
});

function measure(place: string): number {
  return readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
}
