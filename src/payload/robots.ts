/** A closed range, in the unit of the robot's own wire. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What depends on the robot alone. Absent: its values go through as they are, and any number may be right. */
export interface Robot {
  readonly gripperState?: Range;
  readonly gripperAction?: Range;
  readonly waistJoints: number;
  readonly headJoints: number;
}

const closing: Range = { least: -0.785, most: 0 };
const opening: Range = { least: 0, most: 93.6 };
const share: Range = { least: 0, most: 1 };

/**
 * Robots by the `robot_type` of the observation. Gripper units differ from robot to robot and between state and action;
 * a policy that was trained in the unit of another robot moves, but grips at the wrong moment, and nothing says so.
 */
export const robots: Readonly<Record<string, Robot>> = {
  G2_omnipicker: { gripperState: closing, gripperAction: closing, waistJoints: 5, headJoints: 0 },
  G2_crsB_omnipicker: { gripperState: closing, gripperAction: closing, waistJoints: 5, headJoints: 0 },
  G2_90d_gp: { gripperState: opening, gripperAction: share, waistJoints: 5, headJoints: 0 },
  G2_90d: { waistJoints: 5, headJoints: 0 },
  G1_omnipicker: { gripperState: opening, gripperAction: share, waistJoints: 2, headJoints: 2 },
  G1_120s: { waistJoints: 2, headJoints: 2 },
};

/** The robot of this type; undefined when nothing is known of it. */
export function findRobot(robotType: string | undefined): Robot | undefined {
  return robotType !== undefined && Object.hasOwn(robots, robotType) ? robots[robotType] : undefined;
}
