import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/base/clock.ts";
import { readRecording, type TornTail } from "../../src/gateway/recording/read-recording.ts";
import { recordPolicy } from "../../src/gateway/recording/record-policy.ts";
import { openRecorder } from "../../src/gateway/recording/recorder.ts";
import { noTape, type Tape } from "../../src/gateway/recording/tape.ts";
import { type EchoOptions, makeEchoSimulator } from "../../src/gateway.ts";
import type { FrameHandler } from "../../src/wire/handler.ts";
import type { RecordingPart } from "../../src/wire/recording-reader.ts";
import type { useAgents } from "./agents.ts";
import { startStage } from "./gateway-stage.ts";

/** All parts of a recording, its bytes as buffers of their own. */
export async function readEntries(file: string): Promise<(RecordingPart | TornTail)[]> {
  const parts: (RecordingPart | TornTail)[] = [];
  for await (const part of readRecording(file)) {
    const isFrame = part.type === "observation" || part.type === "action";
    parts.push(isFrame ? { ...part, sid: Buffer.from(part.sid), payload: Buffer.from(part.payload) } : part);
  }
  return parts;
}

const sdk = fileURLToPath(new URL("../../contestant_sdk/python", import.meta.url));

/** A Python handler that answers as the sample does, after this change of its `action`, a dict. */
export function makeSampleHandler(change: string): string {
  return [
    `import os, sys, time\nsys.path.insert(0, ${JSON.stringify(sdk)})`,
    "import example_inference, tiny_msgpack\ncount = 0\n",
    "def load(): pass\ndef handle(session_id, frame):",
    "    global count\n    count += 1",
    "    action = tiny_msgpack.unpackb(example_inference.handle(session_id, frame))",
    `    ${change}`,
    "    return tiny_msgpack.packb(action)\n",
  ].join("\n");
}

export interface RecordedSession {
  readonly file: string;
  readonly sessionId: string;
  /** As the simulator gave them, and as it got the answers. */
  readonly observations: readonly Uint8Array[];
  readonly actions: readonly Uint8Array[];
}

/** Plays a case of the echo simulator over a real tunnel to this handler, and records it in the folder. */
export async function recordSession(
  folder: string,
  handler: FrameHandler,
  playAgent: ReturnType<typeof useAgents>,
  options: EchoOptions = {},
): Promise<RecordedSession> {
  const observations: Uint8Array[] = [];
  const actions: Uint8Array[] = [];
  const recorder = openRecorder({ folder, maxBytes: 1e9 }, systemClock, (fault) => {
    throw fault;
  });
  const echo = makeEchoSimulator({
    ...options,
    onStep: ({ observation, action }) => {
      observations.push(observation);
      actions.push(action);
    },
  });
  let tape: Tape = noTape;
  const stage = await startStage();
  const job = stage.addJob({
    simulator: async (policy, spec, signal) => {
      const { sessionId } = policy;
      const facts = { caseId: 1, jobUuid: job.uuid, board: "instruction", ...spec };
      tape = recorder.openTape({ ...facts, sessionId, agentId: "agent-1" });
      const result = await echo(recordPolicy(policy, tape), spec, signal);
      await tape.end(result);
      return result;
    },
  });
  playAgent({ gatewayUrl: stage.tunnelUrl, jobUuid: job.uuid, token: job.token, handler });
  const { cases } = await job.ended;
  await recorder.close(5_000);
  if (cases[0]?.result?.score !== 1) throw new Error(`the case failed: ${JSON.stringify(cases)}`);
  const name = tape.file ?? "";
  return {
    file: recorder.findRecording(name) as string,
    sessionId: name.slice(0, 36),
    observations,
    actions,
  };
}
