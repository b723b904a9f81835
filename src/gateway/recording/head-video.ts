import { Readable } from "node:stream";
import { SortieError } from "../../base/error.ts";
import { readJpegSize } from "../../payload/jpeg-size.ts";
import { takeApart } from "../../payload/observation.ts";
import { isMap } from "../../payload/unpack.ts";
import { countFitting, makeAviHead, makeIndex, makePictureHead, type PictureTrack, padding } from "./avi.ts";
import { readRecording } from "./read-recording.ts";

/** The media type of a video: AVI. */
export const VIDEO_TYPE = "video/x-msvideo";

/** However fast or slow a case was, its pictures can be watched. */
const LEAST_PICTURE_US = 1_000_000 / 60;
const MOST_PICTURE_US = 5_000_000;
const LONE_PICTURE_US = 1_000_000;

/** A simulator that shows its pictures at all does so from its first observation on. */
const TRIED_OBSERVATIONS = 3;

/**
 * What the head camera saw in a recording: its JPEGs as they are, as Motion-JPEG in an AVI file, each shown as long as an
 * observation took on average. The recording is read twice, and never held; not further once the signal aborts. What is
 * beyond 2 GiB is left out. @throws SortieError `head_video_absent`, `file_unreadable`, `recording_bad`
 */
export async function openHeadVideo(file: string, signal?: AbortSignal): Promise<Readable> {
  const track = await surveyPictures(file, signal);
  return Readable.from(makeVideo(file, track, signal), { objectMode: false });
}

/**
 * Whether there is such a video, by the first observations; undefined where nobody can say, since the recording has no end
 * yet. @throws SortieError `file_unreadable`, `recording_bad`
 */
export async function holdsHeadPicture(file: string): Promise<boolean | undefined> {
  let tried = 0;
  for await (const part of readRecording(file)) {
    if (part.type === "end") return false;
    if (part.type !== "observation") continue;
    if (findHeadPicture(part.payload) !== undefined) return true;
    tried += 1;
    if (tried === TRIED_OBSERVATIONS) return false;
  }
  return undefined;
}

async function surveyPictures(file: string, signal: AbortSignal | undefined): Promise<PictureTrack> {
  const sizes: number[] = [];
  const timesUs: number[] = [];
  let frame: { width: number; height: number } | undefined;
  let observations = 0;
  for await (const part of readRecording(file, signal)) {
    if (part.type !== "observation") continue;
    observations += 1;
    const picture = findHeadPicture(part.payload);
    if (picture === undefined) continue;
    frame ??= readJpegSize(picture);
    sizes.push(picture.length);
    timesUs.push(part.timeUs);
  }
  if (frame === undefined) {
    const reason =
      observations === 0 ? "it holds no observation" : `none of its ${observations} observations has one`;
    throw new SortieError("head_video_absent", { file, reason });
  }
  return { ...frame, pictureUs: findPictureUs(timesUs), sizes: sizes.slice(0, countFitting(sizes)) };
}

async function* makeVideo(
  file: string,
  track: PictureTrack,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  yield makeAviHead(track);
  let shown = 0;
  for await (const part of readRecording(file, signal)) {
    if (shown === track.sizes.length) break;
    const picture = part.type === "observation" ? findHeadPicture(part.payload) : undefined;
    if (picture === undefined) continue;
    yield makePictureHead(picture.length);
    yield picture;
    if (picture.length % 2 !== 0) yield padding;
    shown += 1;
  }
  yield makeIndex(track.sizes);
}

/** The JPEG of the head camera, where an observation holds one. */
function findHeadPicture(observation: Uint8Array): Uint8Array | undefined {
  const { head } = takeApart(observation).images;
  const picture = isMap(head) ? head["image_data"] : undefined;
  if (!(picture instanceof Uint8Array) || readJpegSize(picture) === undefined) return undefined;
  return picture;
}

function findPictureUs(timesUs: readonly number[]): number {
  const [first = 0] = timesUs;
  const last = timesUs.at(-1) ?? 0;
  const meanUs = timesUs.length > 1 ? (last - first) / (timesUs.length - 1) : LONE_PICTURE_US;
  return Math.round(Math.min(MOST_PICTURE_US, Math.max(LEAST_PICTURE_US, meanUs)));
}
