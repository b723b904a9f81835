/** A closed range, in the unit of the robot's own wire. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** The pictures of an observation. */
export const cameras = ["head", "hand_left", "hand_right"] as const;

export type Camera = (typeof cameras)[number];

/** In pixels. */
export interface PictureSize {
  readonly height: number;
  readonly width: number;
}

/** What depends on the robot alone. Absent: its values go through as they are, and any number may be right. */
export interface Robot {
  readonly gripperState?: Range;
  readonly gripperAction?: Range;
  readonly waistJoints: number;
  readonly headJoints: number;
  readonly pictures: Readonly<Record<Camera, PictureSize>>;
}

const closing: Range = { least: -0.785, most: 0 };
const opening: Range = { least: 0, most: 93.6 };
const share: Range = { least: 0, most: 1 };

const hand: PictureSize = { height: 1056, width: 1280 };
const small: PictureSize = { height: 480, width: 640 };
const g2 = {
  waistJoints: 5,
  headJoints: 0,
  pictures: { head: { height: 400, width: 640 }, hand_left: hand, hand_right: hand },
};
const g1 = {
  waistJoints: 2,
  headJoints: 2,
  pictures: { head: small, hand_left: small, hand_right: small },
};

/**
 * Robots by the `robot_type` of the observation. Gripper units differ from robot to robot and between state and action;
 * a policy that was trained in the unit of another robot moves, but grips at the wrong moment, and nothing says so.
 */
export const robots: Readonly<Record<string, Robot>> = {
  G2_omnipicker: { gripperState: closing, gripperAction: closing, ...g2 },
  G2_crsB_omnipicker: { gripperState: closing, gripperAction: closing, ...g2 },
  G2_90d_gp: { gripperState: opening, gripperAction: share, ...g2 },
  G2_90d: g2,
  G1_omnipicker: { gripperState: opening, gripperAction: share, ...g1 },
  G1_120s: g1,
};

/** The robot of this type; undefined when nothing is known of it. */
export function findRobot(robotType: string | undefined): Robot | undefined {
  return robotType !== undefined && Object.hasOwn(robots, robotType) ? robots[robotType] : undefined;
}
