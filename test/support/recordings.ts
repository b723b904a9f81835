import { readRecording, type TornTail } from "../../src/gateway/recording/read-recording.ts";
import type { RecordingPart } from "../../src/wire/recording-reader.ts";

/** All parts of a recording, its bytes as buffers of their own. */
export async function readEntries(file: string): Promise<(RecordingPart | TornTail)[]> {
  const parts: (RecordingPart | TornTail)[] = [];
  for await (const part of readRecording(file)) {
    const isFrame = part.type === "observation" || part.type === "action";
    parts.push(isFrame ? { ...part, sid: Buffer.from(part.sid), payload: Buffer.from(part.payload) } : part);
  }
  return parts;
}
