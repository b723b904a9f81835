import { randomUUID } from "node:crypto";
import { appendFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readEntries } from "../../../test/support/recordings.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { SortieError } from "../../base/error.ts";
import { openRecorder } from "./recorder.ts";

const folder = useTempFolder();
const HOUR_MS = 3_600_000;

/** The recorder of a gateway that was started so much later. */
function open(laterMs = 0, maxBytes = 1e9) {
  const faults: SortieError[] = [];
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + laterMs) };
  const recorder = openRecorder({ folder: folder(), maxBytes }, clock, (fault) => faults.push(fault));
  onTestFinished(() => recorder.close(5_000));
  const openTape = (sessionId: string) =>
    recorder.openTape(
      {
        ...{ caseId: 1, jobUuid: "job", board: "kitchen", task: "drawer", index: 0, seed: 1 },
        ...{ sessionId, agentId: "a" },
      },
      true,
    );
  return { recorder, faults, openTape };
}

/** What a gateway that was killed left of a session: so many questions and answers. */
async function leave(sessionId: string, answers: number) {
  const { recorder, openTape } = open();
  const tape = openTape(sessionId);
  for (let number = 1; number <= answers; number += 1) {
    tape.add("observation", Buffer.from(`look ${number}`));
    tape.add("action", Buffer.from(`move ${number}`));
  }
  await recorder.close(5_000);
  return join(folder(), tape.file as string);
}

async function goOn(sessionId: string, stage = open(HOUR_MS)) {
  const tape = stage.openTape(sessionId);
  tape.add("observation", Buffer.from("look on"));
  tape.add("action", Buffer.from("move on"));
  await tape.end({ score: 0.5, steps: 3 });
  return stage;
}

const describeParts = async (file: string) =>
  (await readEntries(file)).map((part) => ("payload" in part ? String(part.payload) : part.type));

it.each([
  ["as it was", () => undefined],
  ["with a torn entry", (file: string) => appendFileSync(file, Buffer.from([0, 0, 1, 0, 1, 2, 3]))],
  ["with zeros", (file: string) => appendFileSync(file, Buffer.alloc(4096))],
  ["with half of a length", (file: string) => appendFileSync(file, Buffer.from([0, 0]))],
])("goes on behind what is there, %s, and so do the times", async (_, damage) => {
  const sessionId = randomUUID();
  const file = await leave(sessionId, 2);
  damage(file);
  const { faults, recorder } = await goOn(sessionId);
  expect(await describeParts(file)).toEqual([
    ...["info", "look 1", "move 1", "look 2", "move 2", "look on", "move on", "end"],
  ]);
  const times = (await readEntries(file)).flatMap((part) => ("timeUs" in part ? [part.timeUs] : []));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[3]).toBeLessThan(60_000_000);
  expect(times[4]).toBeGreaterThan(0.9 * HOUR_MS * 1000);
  expect(faults).toEqual([]);
  expect(recorder.bytes).toBe(statSync(file).size);
});

it("takes back an end that was written before the case was over on record", async () => {
  const sessionId = randomUUID();
  const file = await leave(sessionId, 1);
  await goOn(sessionId, open());
  await goOn(sessionId);
  expect(await describeParts(file)).toEqual([
    ...["info", "look 1", "move 1", "look on", "move on", "look on", "move on", "end"],
  ]);
});

it("does not take the times back with the clock", async () => {
  const sessionId = randomUUID();
  await goOn(sessionId, open(HOUR_MS));
  const { openTape } = open();
  const tape = openTape(sessionId);
  tape.add("observation", Buffer.from("look on"));
  await tape.end({ score: null, steps: 0 });
  const entries = await readEntries(join(folder(), tape.file as string));
  const times = entries.flatMap((part) => ("timeUs" in part ? [part.timeUs] : []));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it.each([
  ["is empty", (file: string) => truncateSync(file, 0)],
  ["ends within its start", (file: string) => truncateSync(file, 20)],
  ["is something else", (file: string) => writeFileSync(file, Buffer.alloc(500, "x"))],
])("begins anew where the file %s", async (_, damage) => {
  const sessionId = randomUUID();
  const file = await leave(sessionId, 2);
  damage(file);
  const { faults } = await goOn(sessionId);
  expect(await describeParts(file)).toEqual(["info", "look on", "move on", "end"]);
  expect(faults).toEqual([]);
});

it("keeps what was there where there is no room for more", async () => {
  const sessionId = randomUUID();
  const file = await leave(sessionId, 2);
  const { faults } = await goOn(sessionId, open(0, statSync(file).size));
  expect(faults).toMatchObject([{ code: "recording_broken" }]);
  expect(await describeParts(file)).toEqual(["info", "look 1", "move 1", "look 2", "move 2", "torn"]);
});
