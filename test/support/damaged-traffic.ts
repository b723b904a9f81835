import { makeControl } from "../../src/wire/control.ts";
import { encodeFrame } from "../../src/wire/frame.ts";
import { makeDamagedFrames } from "./damage-frames.ts";
import { makeRandom } from "./random.ts";

/** Damaged messages without end of every kind that goes over a tunnel; the same ones for the same seed. */
export interface DamagedTraffic {
  /** From 0 to below 1. */
  random(): number;
  /** A binary frame. */
  nextFrame(): Uint8Array;
  /** A text frame. */
  nextText(): string;
}

const sid = Buffer.from("session-of-the-test");
const dataFrames = [
  encodeFrame(sid, Buffer.from("an observation or an action")),
  encodeFrame(sid, new Uint8Array()),
  encodeFrame(new Uint8Array(), Buffer.from("x")),
  encodeFrame(new Uint8Array(), new Uint8Array()),
  encodeFrame(Buffer.alloc(256, "s"), Buffer.alloc(300, "p")),
];
const controls = [
  makeControl({ type: "warmup" }),
  makeControl({ type: "ready" }),
  makeControl({ type: "queued", reason: "no_gpu_available" }),
  makeControl({ type: "session_open", sessionId: "session-of-the-test" }),
  makeControl({ type: "session_close", sessionId: "session-of-the-test", reason: "done" }),
  makeControl({ type: "resume", sessionId: "session-of-the-test", replies: 3, resend: true }),
].map((control) => Buffer.from(control));

/** `{"type":"drain"}` would rightly end an agent: no sample is near it. */
export function makeDamagedTraffic(seed: number): DamagedTraffic {
  const data = makeDamagedFrames(dataFrames, seed);
  const texts = makeDamagedFrames(controls, seed + 1);
  const next = (frames: Generator<Uint8Array>) => frames.next().value as Uint8Array;
  return {
    random: makeRandom(seed),
    nextFrame: () => next(data),
    nextText: () => Buffer.from(next(texts)).toString(),
  };
}
