import { makeObservation, makeRestingState, type Picture } from "../../payload/make-observation.ts";
import { type Camera, cameras, findRobot, type PictureSize } from "../../payload/robots.ts";
import type { CaseSpec } from "../simulator.ts";
import { fillJpeg } from "./fill-jpeg.ts";
import { detailedStyle, makePictures, smallStyle } from "./pictures.ts";

const ROBOT = "G2_omnipicker";
const FIRST_TIME_NS = 1_750_000_000_000_000_000n;
const STEP_NS = 350_000_000n;
const HISTORY_INTERVAL = 10;
/** How far a joint moves over a case, in radians. */
const SWING = 0.05;

export type Pictures = Readonly<Record<Camera, Picture>>;

/** The pictures of every observation; with `frameBytes`, an observation is filled up to about that size. */
export async function makeEchoPictures(frameBytes: number | undefined): Promise<Pictures> {
  const sizes = (findRobot(ROBOT) as { pictures: Record<Camera, PictureSize> }).pictures;
  if (frameBytes === undefined) return makePictures(sizes, detailedStyle);
  const pictures = await makePictures(sizes, smallStyle);
  const missing = frameBytes - makeEchoObservation(pictures, { task: "", index: 0, seed: 0 }, 0).length;
  if (missing <= 0) return pictures;
  const fill = (camera: Camera) => {
    const picture = pictures[camera];
    return [camera, { ...picture, jpeg: fillJpeg(picture.jpeg, Math.floor(missing / cameras.length)) }];
  };
  return Object.fromEntries(cameras.map(fill)) as Pictures;
}

/**
 * The observation of a step, numbered: time, prompt and state differ from step to step. The first one of a case has no
 * history, as the challenge has it.
 */
export function makeEchoObservation(pictures: Pictures, spec: CaseSpec, step: number): Uint8Array {
  const { head } = pictures;
  return makeObservation({
    robotType: ROBOT,
    timeNs: FIRST_TIME_NS + BigInt(step) * STEP_NS,
    pictures,
    state: makeState(spec.seed, step),
    prompt: `${spec.task}, observation ${step + 1}`,
    taskName: spec.task,
    episodeIndex: spec.index,
    progress: [{ name: spec.task, score: 0, status: "PENDING" }],
    history: step === 0 ? undefined : { interval: HISTORY_INTERVAL, pictures: [{ head }] },
  });
}

function makeState(seed: number, step: number) {
  const resting = makeRestingState(ROBOT);
  const armJoints = resting.armJoints.map(
    (angle, joint) => angle + SWING * Math.sin(seed + joint + step / 10),
  );
  return { ...resting, armJoints };
}
