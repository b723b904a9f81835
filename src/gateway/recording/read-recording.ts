import { createReadStream } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import { type RecordingPart, RecordingReader } from "../../wire/recording-reader.ts";

/** What a file held behind its last whole entry: nothing that can be read. */
export interface TornTail {
  readonly type: "torn";
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * The parts of a recording, one after another, without holding more than one of them: its info first, its end last, or
 * `torn` where the writer was cut off. Reads no further once the signal aborts. @throws SortieError `file_unreadable`,
 * `recording_bad`
 */
export async function* readRecording(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<RecordingPart | TornTail> {
  const reader = new RecordingReader();
  for await (const chunk of readChunks(file, signal)) {
    yield* reader.take(chunk);
    checkReader(reader, file);
  }
  const { state } = reader.finish();
  checkReader(reader, file);
  if (state === "torn") yield { type: "torn" };
}

async function* readChunks(file: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: CHUNK_BYTES, signal });
  } catch (fault) {
    const advice = "Name a file that you can read.";
    throw new SortieError("file_unreadable", { path: file, reason: describeFault(fault), advice }, fault);
  }
}

function checkReader({ fault }: RecordingReader, file: string): void {
  if (fault !== undefined) throw new SortieError("recording_bad", { file, reason: fault });
}
