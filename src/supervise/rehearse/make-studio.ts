import { makeEchoPictures, type Pictures } from "../../gateway/simulators/echo-observation.ts";
import { type DepthPicture, makeObservation, makeRestingState } from "../../payload/make-observation.ts";
import type { ObservedState, PayloadKind } from "../../payload/observation.ts";
import { type Camera, cameras } from "../../payload/robots.ts";

import { makeOpenpiObservation } from "./make-openpi-observation.ts";

/** What an observation shows. */
export interface Shot {
  readonly episode: number;
  /** From 0. The first one of an episode has depth pictures and no history. */
  readonly step: number;
  /** Of no other observation: it comes back in the answer where the handler knows `policy_rng`. */
  readonly number: number;
}

export interface DrawnShot {
  readonly bytes: Uint8Array;
  /** What its answer is checked against. */
  readonly state: ObservedState;
}

/** Draws observations as a simulator of the newest kind sends them. */
export interface Studio {
  readonly draw: (shot: Shot) => DrawnShot;
}

const ROBOT = "G2_omnipicker";
const STEP_NS = 350_000_000n;
/** How far a joint moves, in radians: a little from one observation to the next. */
const SWING = 0.05;
const HISTORY_INTERVAL = 10;
const HISTORY_PICTURES = 2;
/** What pictures without detail are filled up to, in bytes of a whole observation. */
const FLAT_BYTES = 30_000;

/** Prompts are people's words: none of them is only ASCII. */
const tasks: Readonly<Record<string, string>> = {
  instruction: "把红色的杯子放进托盘 – put the red cup on the tray ☕",
  spatial: "把盒子放到左边 – put the box to the left of the café sign",
  manip: "打开抽屉 – open the drawer, über die Kante",
  robust: "收拾桌子 – tidy up the table, señor",
};

export const boards = Object.keys(tasks);

/** Pictures are made here, once for all observations. Of an `opaque` payload nothing is known: it gets those of a G2. */
export async function makeStudio(
  { board, payload }: { readonly board: string; readonly payload: PayloadKind },
  style: "real" | "flat",
  startedAt: Date,
): Promise<Studio> {
  if (payload === "openpi") return makeOpenpiStudio(board);
  const pictures = await makeEchoPictures(style === "real" ? undefined : FLAT_BYTES);
  const depth = style === "real" ? makeDepth(pictures) : undefined;
  const startedNs = BigInt(startedAt.getTime()) * 1_000_000n;
  return {
    draw: ({ episode, step, number }) => {
      const resting = makeRestingState(ROBOT);
      const armJoints = resting.armJoints.map(
        (angle, joint) => angle + SWING * Math.sin(episode + joint + step / 5),
      );
      const bytes = makeObservation({
        ...{ robotType: ROBOT, pictures, depth: step === 0 ? depth : undefined },
        timeNs: startedNs + BigInt(number) * STEP_NS,
        state: { ...resting, armJoints },
        ...{ prompt: tasks[board] ?? board, taskName: `${board}_rehearsal`, episodeIndex: episode },
        progress: [{ name: "reach", score: 0, status: "PENDING" }],
        history: step === 0 ? undefined : makeHistory(pictures),
        policyRng: number,
      });
      const { waistJoints, grippers } = resting;
      return { bytes, state: { robotType: ROBOT, armJoints, waistJoints, grippers, episodeIndex: episode } };
    },
  };
}

function makeOpenpiStudio(board: string): Studio {
  return {
    draw: ({ episode, step }) => ({
      bytes: makeOpenpiObservation(tasks[board] ?? board, 100 * episode + step),
      state: {},
    }),
  };
}

function makeHistory({ head }: Pictures) {
  return {
    interval: HISTORY_INTERVAL,
    pictures: Array.from({ length: HISTORY_PICTURES }, () => ({ head })),
  };
}

/** A slope from half a metre to three: two bytes a pixel. */
function makeDepth(pictures: Pictures): Record<Camera, DepthPicture> {
  const make = (camera: Camera): [Camera, DepthPicture] => {
    const { height, width } = pictures[camera];
    const pixels = Uint16Array.from({ length: height * width }, (_, at) => 500 + (at % 2500));
    return [camera, { height, width, millimetres: new Uint8Array(pixels.buffer) }];
  };
  return Object.fromEntries(cameras.map(make)) as Record<Camera, DepthPicture>;
}
