import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { readEntries } from "../../../test/support/recordings.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { recordPolicy } from "./record-policy.ts";
import { openRecorder } from "./recorder.ts";
import type { Tape } from "./tape.ts";

const folder = useTempFolder();

it("what passes is on tape as it passed, though both sides change their bytes afterwards", async () => {
  const recorder = openRecorder({ folder: folder(), maxBytes: 1e9 }, systemClock, () => undefined);
  onTestFinished(() => recorder.close(5_000));
  const sessionId = randomUUID();
  const facts = { caseId: null, jobUuid: null, board: null, task: "pick", index: 0, seed: 0 };
  const tape = recorder.openTape({ ...facts, sessionId, agentId: null });
  const answer = Buffer.from("answer");
  const policy = recordPolicy({ sessionId, infer: async () => answer }, tape);
  expect(policy.sessionId).toBe(sessionId);
  for (const step of [1, 2]) {
    const observation = Buffer.from(`look ${step}`);
    const action = await policy.infer(observation);
    expect(action).toBe(answer);
    observation.fill(0);
    action[0] = 0x30 + step;
  }
  await tape.end({ score: 1, steps: 2 });
  const parts = await readEntries(recorder.findRecording(tape.file as string) as string);
  const frames = parts.flatMap((part) => ("payload" in part ? [`${part.type} ${part.payload}`] : []));
  expect(frames).toEqual(["observation look 1", "action answer", "observation look 2", "action 1nswer"]);
});

it("a refusal of the policy is that of the case, and leaves an observation without an action", async () => {
  const added: string[] = [];
  const tape: Tape = {
    file: undefined,
    add: (type) => added.push(type),
    end: async () => undefined,
  };
  const gone = new Error("gone");
  const policy = recordPolicy({ sessionId: "s", infer: () => Promise.reject(gone) }, tape);
  await expect(policy.infer(Buffer.from("look"))).rejects.toBe(gone);
  expect(added).toEqual(["observation"]);
});
