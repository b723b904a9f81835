import { type Packable, pack } from "./pack.ts";
import { type Camera, cameras, findRobot, type PictureSize } from "./robots.ts";

/** A colour picture as a JPEG. */
export interface Picture extends PictureSize {
  readonly jpeg: Uint8Array;
}

/** A depth picture: two bytes a pixel, little-endian, in millimetres. */
export interface DepthPicture extends PictureSize {
  readonly millimetres: Uint8Array;
}

export interface RobotState {
  /** Radians, left 7 then right 7. */
  readonly armJoints: readonly number[];
  /** Left, right, in the robot's own unit. */
  readonly grippers: readonly number[];
  readonly waistJoints: readonly number[];
  readonly headJoints: readonly number[];
  /** Metres and quaternions (x, y, z, w), by frame; null where the robot gives none. */
  readonly endPose?: Packable;
}

/** What a simulator says with one observation. */
export interface ObservationParts {
  readonly robotType: string;
  readonly timeNs: bigint;
  readonly pictures: Readonly<Record<Camera, Picture>>;
  readonly depth?: Readonly<Record<Camera, DepthPicture>>;
  readonly state: RobotState;
  readonly prompt: string;
  readonly taskName: string;
  readonly episodeIndex: number;
  readonly episodeDone?: boolean;
  readonly progress?: readonly { readonly name: string; readonly score: number; readonly status: string }[];
  readonly history?: {
    readonly interval: number;
    readonly pictures: readonly Partial<Readonly<Record<Camera, Picture>>>[];
  };
  readonly policyRng?: number;
}

const ROOM_BESIDE_PICTURES = 4096;

/** The observation of the challenge as a simulator sends it. Numbers that measure are floats; counts are integers. */
export function makeObservation(parts: ObservationParts): Uint8Array {
  const { pictures, depth, state, history } = parts;
  const params = {
    timestamps: { head: parts.timeNs, states: parts.timeNs },
    images: { ...makePictures(pictures), ...(depth && makeDepth(depth)) },
    states: {
      arm_joint_states: state.armJoints,
      gripper_states: state.grippers,
      waist_joint_states: state.waistJoints,
      head_joint_states: state.headJoints,
      end_pose: state.endPose ?? null,
    },
    prompt: parts.prompt,
    robot_type: parts.robotType,
    task_name: parts.taskName,
    episode_idx: BigInt(parts.episodeIndex),
    episode_done: parts.episodeDone ?? false,
    task_progress: parts.progress ?? [],
    history: history && { interval: BigInt(history.interval), images: history.pictures.map(makePictures) },
    policy_rng: parts.policyRng === undefined ? undefined : BigInt(parts.policyRng),
  };
  return pack({ method: "infer", params }, { forceFloat: true, expectedBytes: countPictureBytes(parts) });
}

/** A robot of this type at rest: joints at zero, grippers half open. Of an unknown type it has no waist and no head. */
export function makeRestingState(robotType: string): RobotState {
  const robot = findRobot(robotType);
  const { least, most } = robot?.gripperState ?? { least: 0, most: 0 };
  return {
    armJoints: new Array(14).fill(0),
    grippers: new Array(2).fill((least + most) / 2),
    waistJoints: new Array(robot?.waistJoints ?? 0).fill(0),
    headJoints: new Array(robot?.headJoints ?? 0).fill(0),
  };
}

function makePictures(pictures: Partial<Readonly<Record<Camera, Picture>>>): Record<string, Packable> {
  return Object.fromEntries(
    Object.entries(pictures).map(([camera, { jpeg, height, width }]) => [
      camera,
      { encoding: "JPEG", image_data: jpeg, height: BigInt(height), width: BigInt(width) },
    ]),
  );
}

function makeDepth(depth: Readonly<Record<Camera, DepthPicture>>): Record<string, Packable> {
  return Object.fromEntries(
    Object.entries(depth).map(([camera, { millimetres, height, width }]) => [
      `${camera}_depth`,
      { encoding: "RAW_UINT16", image_data: millimetres, height: BigInt(height), width: BigInt(width) },
    ]),
  );
}

function countPictureBytes({ pictures, depth, history }: ObservationParts): number {
  let bytes = ROOM_BESIDE_PICTURES;
  for (const camera of cameras) {
    bytes += pictures[camera].jpeg.length + (depth?.[camera].millimetres.length ?? 0);
    for (const earlier of history?.pictures ?? []) bytes += (earlier[camera]?.jpeg.length ?? 0) + 100;
  }
  return bytes;
}
