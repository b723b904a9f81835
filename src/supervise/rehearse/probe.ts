import { encodeFrame } from "../../wire/frame.ts";
import { encodeSessionId } from "../../wire/session-id.ts";
import { isAnswered, type SessionPlay } from "./ask.ts";
import type { Probe, ProbeKind } from "./evidence.ts";
import type { Glance } from "./gateway-witness.ts";
import { waitUntil } from "./wait-until.ts";

const EMPTY = new Uint8Array(0);
/** An empty frame is answered without the handler. */
const EMPTY_ANSWER_MS = 1_000;

/** What is sent for each kind; the session's id is known. */
const frames: Readonly<Record<ProbeKind, (sessionId: string) => (string | Uint8Array)[]>> = {
  unknown_control: (sessionId) => [
    JSON.stringify({ type: "hologram", session_id: sessionId }),
    JSON.stringify({ type: "hologram", session_id: "another", depth: [1, { two: 2 }] }),
  ],
  junk_control: () => [
    "not json",
    "[]",
    "null",
    '{"type":5}',
    "",
    '{"type":"session_open"}',
    "[".repeat(10_000),
  ],
  second_queued: () => [JSON.stringify({ type: "queued", reason: "no_gpu_available" })],
  empty_frame: (sessionId) => [encodeFrame(encodeSessionId(sessionId), EMPTY)],
  malformed_frame: () => [new Uint8Array([0, 0, 1]), new Uint8Array([0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4])],
};

/** Sends what no simulator sends, then an observation: its answer over the same link shows that nothing changed. */
export async function tryFrames(play: SessionPlay, kind: ProbeKind): Promise<boolean> {
  const { scene, agentId, policy } = play;
  const { witness, job, probes } = scene;
  witness.mark(agentId, kind);
  const atMs = witness.nowMs();
  const before = witness.look(agentId);
  for (const frame of frames[kind](policy.sessionId)) job.sendFrame(agentId, frame);
  const answer = kind === "empty_frame" ? await waitForEmpty(play, before) : "nothing";
  const isHealthy = await isAnswered(play, { activity: kind });
  const survived = isHealthy && witness.look(agentId).closes === before.closes;
  probes.push({ agentId, kind, atMs, survived, answer });
  return isHealthy;
}

/** What came back of an empty frame. Data is not taken for the answer before its time is over: it may be an older one's double. */
async function waitForEmpty({ scene, agentId }: SessionPlay, before: Glance): Promise<Probe["answer"]> {
  const { clock, witness, over } = scene;
  const isEmptyBack = () => witness.look(agentId).emptyReplies > before.emptyReplies;
  if (await waitUntil(clock, isEmptyBack, { timeoutMs: EMPTY_ANSWER_MS, signal: over })) return "empty";
  return witness.look(agentId).probeReplies > before.probeReplies ? "data" : "nothing";
}
