import { RECORDING_SUFFIX } from "../../wire/recording.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The file of a session; undefined where its id is no UUID, as every one that a gateway gives is. */
export function makeRecordingName(sessionId: string): string | undefined {
  return UUID.test(sessionId) ? `${sessionId}${RECORDING_SUFFIX}` : undefined;
}

/** Whether a gateway gives this name, so that it leads to no other file than a recording. */
export function isRecordingName(name: string): boolean {
  return name.endsWith(RECORDING_SUFFIX) && UUID.test(name.slice(0, -RECORDING_SUFFIX.length));
}
