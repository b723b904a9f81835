import { expect, it } from "vitest";
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../../test/support/damage-frames.ts";
import { encodeFrame } from "../wire/frame.ts";
import { readAgentControl, readAgentFrame } from "./agent-message.ts";
import { Session } from "./session.ts";

const session = new Session("session-1", { sendObservation: () => true }, false);
const samples = [
  encodeFrame(session.sid, Buffer.from("an action")),
  encodeFrame(session.sid, new Uint8Array()),
  encodeFrame(new Uint8Array(), Buffer.from("whose")),
];

it(`damaged frames are malformed, unknown, empty or replies, and nothing else (seed ${damageSeed})`, () => {
  const seen = new Set<string>();
  let left = damagedFrameCount;
  for (const bytes of makeDamagedFrames(samples, damageSeed)) {
    const cut = bytes.length % 5;
    const frame = readAgentFrame([bytes.subarray(0, cut), bytes.subarray(cut)], session);
    if (frame.type === "reply") expect(frame.payload.length).toBeLessThanOrEqual(bytes.length);
    seen.add(frame.type);
    readAgentControl(Buffer.from(bytes).toString());
    left -= 1;
    if (left === 0) break;
  }
  expect([...seen].sort()).toEqual(["empty", "malformed", "reply", "unknown_session"]);
});

it("an empty frame is an action only where one is waited for", () => {
  const empty = [encodeFrame(session.sid, new Uint8Array())];
  expect(readAgentFrame(empty, session)).toEqual({ type: "empty", sidBytes: 9 });
  expect(readAgentFrame(empty, undefined)).toEqual({ type: "empty", sidBytes: 9 });
  const asking = new Session("session-1", { sendObservation: () => true }, false);
  asking.infer(Buffer.from("look")).catch(() => undefined);
  expect(readAgentFrame(empty, asking)).toMatchObject({ type: "reply", session: asking });
});
