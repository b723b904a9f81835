import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { pack } from "../../payload/pack.ts";
import { findProgram } from "../../process/find-program.ts";
import { makeRecordingEnd, makeRecordingFrame, makeRecordingStart } from "../../wire/recording.ts";
import { countFitting, MAX_AVI_BYTES } from "./avi.ts";
import { holdsHeadPicture, openHeadVideo } from "./head-video.ts";

const folder = useTempFolder();
const jpegs: Buffer[] = [];
const PICTURES = 9;

beforeAll(async () => {
  for (let number = 0; number < PICTURES; number += 1) {
    const background = { r: 20 * number, g: 100, b: 200 - 20 * number };
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background } });
    jpegs.push(await picture.jpeg({ quality: 50 + number }).toBuffer());
  }
  // Both kinds of length have to be there.
  jpegs[0] = Buffer.concat([jpegs[0] as Buffer, Buffer.alloc(1)]);
});

const makeObservation = (head: Uint8Array | undefined) =>
  pack({ method: "infer", params: { images: head && { head: { encoding: "JPEG", image_data: head } } } });

/** Writes the recording of these observations, 250 ms apart. */
function record(observations: readonly Uint8Array[]): string {
  const sessionId = randomUUID();
  const sid = Buffer.from(sessionId);
  const facts = { caseId: 1, jobUuid: null, board: null, task: "pick", index: 0, seed: 0, agentId: null };
  const frames = observations.flatMap((payload, step) => [
    makeRecordingFrame({ type: "observation", timeUs: 250_000 * step, sid, payload }),
    makeRecordingFrame({ type: "action", timeUs: 250_000 * step + 9, sid, payload: Buffer.from("act") }),
  ]);
  const file = join(folder(), `${sessionId}.sortie-recording`);
  const start = makeRecordingStart({ ...facts, sessionId, startedAt: "2026-11-29T20:00:00.000Z" });
  const end = makeRecordingEnd(9e6, sid, { score: 1, steps: frames.length, detail: null });
  writeFileSync(file, Buffer.concat([start, ...frames, end]));
  return file;
}

interface Chunk {
  readonly name: string;
  readonly at: number;
  readonly data: Buffer;
}

/** The chunks of a RIFF file or list; every byte has to be in one. */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    expect(at + 8 + size).toBeLessThanOrEqual(bytes.length);
    chunks.push({
      name: bytes.toString("latin1", at, at + 4),
      at,
      data: bytes.subarray(at + 8, at + 8 + size),
    });
    at += 8 + size + (size % 2);
    if (size % 2 === 1) expect(bytes[at - 1]).toBe(0);
  }
  return chunks;
}

/** The chunks of a list, which begins with its type. */
function readList(chunk: Chunk | undefined, type: string): Chunk[] {
  expect(chunk?.name).toMatch(/^(RIFF|LIST)$/);
  expect(chunk?.data.toString("latin1", 0, 4)).toBe(type);
  return readChunks((chunk as Chunk).data.subarray(4));
}

it("the head camera's pictures come as an AVI file that holds them byte for byte, with an index", async () => {
  const stream = await openHeadVideo(record(jpegs.map(makeObservation)));
  const [riff, ...rest] = readChunks(await buffer(stream));
  expect(rest).toEqual([]);
  const [head, movi, index] = readList(riff, "AVI ");
  const [main, list] = readList(head, "hdrl");
  const [streamHead, format] = readList(list, "strl");
  const read = (chunk: Chunk | undefined, at: number) => chunk?.data.readUInt32LE(at);
  expect([main?.data.length, streamHead?.data.length, format?.data.length]).toEqual([56, 56, 40]);
  expect([read(main, 0), read(main, 16), read(main, 24), read(main, 32), read(main, 36)]).toEqual([
    ...[250_000, PICTURES, 1, 64, 48],
  ]);
  expect(streamHead?.data.toString("latin1", 0, 8)).toBe("vidsMJPG");
  expect([read(streamHead, 20), read(streamHead, 24), read(streamHead, 32)]).toEqual([
    250_000,
    1e6,
    PICTURES,
  ]);
  expect([read(format, 4), read(format, 8), format?.data.toString("latin1", 16, 20)]).toEqual([
    64,
    48,
    "MJPG",
  ]);
  const pictures = readList(movi, "movi");
  expect(pictures.map(({ name, data }) => [name, Buffer.from(data)])).toEqual(
    jpegs.map((jpeg) => ["00dc", jpeg]),
  );
  expect(index?.name).toBe("idx1");
  const entries = pictures.map((_, number) => index?.data.subarray(16 * number, 16 * number + 16) as Buffer);
  expect(index?.data.length).toBe(16 * PICTURES);
  expect(entries.map((entry) => [entry.toString("latin1", 0, 4), entry.readUInt32LE(4)])).toEqual(
    pictures.map(() => ["00dc", 0x10]),
  );
  expect(entries.map((entry) => [entry.readUInt32LE(8), entry.readUInt32LE(12)])).toEqual(
    pictures.map(({ at, data }) => [at + 4, data.length]),
  );
});

it("a decoder of others finds every picture, where one is installed", async () => {
  const file = record(jpegs.map(makeObservation));
  const video = join(folder(), "head.avi");
  writeFileSync(video, await buffer(await openHeadVideo(file)));
  const program = findProgram("ffprobe", process.env);
  if (program === null) return; // the strict reading above is what every machine has
  const entries = "stream=codec_name,width,height,avg_frame_rate,nb_read_frames,duration";
  const said = execFileSync(
    program,
    ["-v", "warning", "-count_frames", "-of", "json", "-show_entries", entries, video],
    { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );
  expect(JSON.parse(said).streams).toEqual([
    {
      ...{ codec_name: "mjpeg", width: 64, height: 48, avg_frame_rate: "4/1" },
      ...{ nb_read_frames: String(PICTURES), duration: "2.250000" },
    },
  ]);
});

it("what has no picture is passed over, and pictures are shown for a time in which they can be seen", async () => {
  const [one, two] = jpegs as [Buffer, Buffer];
  const mixed = [undefined, one, Buffer.from("no picture"), two].map(makeObservation);
  const stream = await openHeadVideo(record([...mixed, Buffer.from("opaque")]));
  const [riff] = readChunks(await buffer(stream));
  const [head, movi] = readList(riff, "AVI ");
  expect(readList(movi, "movi").map(({ data }) => Buffer.from(data))).toEqual([one, two]);
  expect(readList(head, "hdrl")[0]?.data.readUInt32LE(0)).toBe(500_000);
  const lone = readChunks(await buffer(await openHeadVideo(record([makeObservation(one)]))));
  expect(readList(readList(lone[0], "AVI ")[0], "hdrl")[0]?.data.readUInt32LE(0)).toBe(1_000_000);
});

it.each<[string, () => Uint8Array[], RegExp]>([
  ["no observation", () => [], /holds no observation/],
  [
    "observations of another kind",
    () => [Buffer.from("opaque"), pack({ images: {} })],
    /none of its 2 observations/,
  ],
])("a recording with %s has no video, and that is said", async (_, observations, reason) => {
  const fault = await openHeadVideo(record(observations())).catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "head_video_absent", message: expect.stringMatching(reason) });
});

it("what is no recording, or not there, is refused as that", async () => {
  const file = join(folder(), "video");
  writeFileSync(file, "a text that is longer than the start of a recording");
  await expect(openHeadVideo(file)).rejects.toMatchObject({ code: "recording_bad" });
  await expect(openHeadVideo(join(folder(), "absent"))).rejects.toMatchObject({ code: "file_unreadable" });
});

it("no more pictures are taken than a file may hold", () => {
  const sizes = new Array(100).fill(64 * 1024 * 1024);
  const count = countFitting(sizes);
  expect(count).toBe(31);
  expect(count * sizes[0]).toBeLessThan(MAX_AVI_BYTES);
});

it("says by the first observations whether there is a video, where the recording has come so far", async () => {
  const opaque = Buffer.from("opaque");
  const some = makeObservation(jpegs[0]);
  expect(await holdsHeadPicture(record([opaque, some]))).toBe(true);
  expect(await holdsHeadPicture(record([opaque]))).toBe(false);
  expect(await holdsHeadPicture(record([opaque, opaque, opaque, some]))).toBe(false);
  expect(await holdsHeadPicture(record([]))).toBe(false);
  const begun = record([]);
  truncateSync(begun, statSync(begun).size - 1);
  expect(await holdsHeadPicture(begun)).toBeUndefined();
});
