// The handler of solve.py in JavaScript: both arms walk to the targets that the simulator `reach` tells.
import { decode, encode } from "@msgpack/msgpack";

const HORIZON = 50;
const STEP_RAD = 0.055;

export function handle(_sessionId, frame) {
  if (frame.length === 0) return frame;
  const { states, task_progress: rows } = decode(frame).params;
  const [left, right] = ["left", "right"].map((side, index) => {
    const joints = states.arm_joint_states.slice(7 * index, 7 * index + 7);
    return walk(joints, readGoal(rows, side) ?? joints);
  });
  const [leftGrip, rightGrip] = states.gripper_states.map((state) => left.map(() => [state]));
  return encode({
    result: {
      left_arm: { kind: "JOINT_ABS", values: left },
      right_arm: { kind: "JOINT_ABS", values: right },
      left_effector: leftGrip,
      right_effector: rightGrip,
    },
  });
}

/** Seven angles out of `left 2/5: xyz … joints -0.412 0.311 …`; undefined when the arm has reached all its targets. */
function readGoal(rows, side) {
  const row = rows.find(({ name }) => name.startsWith(side));
  return row?.name.split(" joints ")[1]?.split(" ").map(Number);
}

function walk(joints, goal) {
  let now = joints;
  return Array.from({ length: HORIZON }, () => {
    now = now.map((angle, joint) => angle + Math.max(-STEP_RAD, Math.min(STEP_RAD, goal[joint] - angle)));
    return now;
  });
}
