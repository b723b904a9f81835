import { readRecording } from "../../gateway/recording/read-recording.ts";
import type { Percentiles } from "../../tunnel/agent-report.ts";
import { TimeCounter } from "../../tunnel/percentiles.ts";
import type { RecordingInfo, RecordingResult } from "../../wire/recording.ts";

/** What a recording holds. */
export interface RecordingSurvey {
  readonly file: string;
  readonly info: RecordingInfo;
  readonly observations: FrameCount;
  readonly actions: FrameCount;
  /** From the start to the last entry. */
  readonly durationMs: number;
  /** Milliseconds from an observation to its action, as the simulator had them. Null where there is no action. */
  readonly latency: Percentiles | null;
  /** Null: the recording was cut off. */
  readonly result: RecordingResult | null;
}

export interface FrameCount {
  readonly count: number;
  readonly bytes: number;
  readonly largestBytes: number;
}

/** Reads a recording from its start to its end. @throws SortieError `recording_bad`, `file_unreadable` */
export async function surveyRecording(file: string): Promise<RecordingSurvey> {
  const counts = { observation: makeCount(), action: makeCount() };
  const latency = new TimeCounter();
  let info: RecordingInfo | undefined;
  let result: RecordingResult | null = null;
  let lastUs = 0;
  let askedUs = 0;
  for await (const part of readRecording(file)) {
    if (part.type === "torn") break;
    if (part.type === "info") {
      info = part.info;
      continue;
    }
    lastUs = part.timeUs;
    if (part.type === "end") result = part.result;
    else addFrame(counts[part.type], part.payload.length);
    if (part.type === "observation") askedUs = part.timeUs;
    if (part.type === "action") latency.add((part.timeUs - askedUs) / 1000);
  }
  return {
    ...{ file, info: info as RecordingInfo },
    ...{ observations: counts.observation, actions: counts.action },
    ...{ durationMs: Math.round(lastUs / 1000), latency: latency.read(), result },
  };
}

function makeCount() {
  return { count: 0, bytes: 0, largestBytes: 0 };
}

function addFrame(count: ReturnType<typeof makeCount>, bytes: number): void {
  count.count += 1;
  count.bytes += bytes;
  count.largestBytes = Math.max(count.largestBytes, bytes);
}
