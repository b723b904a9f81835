import { countNumbers, describeValue } from "../describe-value.ts";
import { type Observation, readNumber, readNumbers } from "../observation.ts";
import { findRobot, type Robot } from "../robots.ts";
import type { Finding, Rule } from "../rule.ts";
import { isMap } from "../unpack.ts";

const ARM_JOINTS = 14;
const POSE_FRAMES = ["base_link", "arm_base_link"];

/** All of an observation but its pictures. */
export const stateRules: readonly Rule<Observation>[] = [
  {
    name: "timestamps",
    level: "hard",
    wants: "Picture and state carry the same time, whole nanoseconds.",
    needs: ["observation-envelope"],
    find: findBadTime,
  },
  {
    name: "arm-states",
    level: "hard",
    wants: "There are 14 arm joints.",
    needs: ["observation-envelope"],
    find: (observation) => findBadNumbers(observation, "arm_joint_states", ARM_JOINTS),
  },
  {
    name: "gripper-states",
    level: "hard",
    wants: "There are 2 grippers.",
    needs: ["observation-envelope"],
    find: (observation) => findBadNumbers(observation, "gripper_states", 2),
  },
  {
    name: "gripper-unit",
    level: "soft",
    wants: "Grippers are given in the unit of their robot.",
    needs: ["gripper-states"],
    find: findOtherUnit,
  },
  {
    name: "waist-states",
    level: "soft",
    wants: "There are as many waist joints as the robot has.",
    needs: ["observation-envelope"],
    find: (observation) =>
      findBadNumbers(observation, "waist_joint_states", findItsRobot(observation)?.waistJoints),
  },
  {
    name: "head-states",
    level: "soft",
    wants: "There are as many head joints as the robot has.",
    needs: ["observation-envelope"],
    find: (observation) =>
      findBadNumbers(observation, "head_joint_states", findItsRobot(observation)?.headJoints),
  },
  {
    name: "end-pose",
    level: "soft",
    wants: "A pose has a position of 3 numbers and an orientation of 4, for each arm.",
    needs: ["observation-envelope"],
    find: findBadPose,
  },
  {
    name: "prompt",
    level: "hard",
    wants: "There is a prompt.",
    needs: ["observation-envelope"],
    find: ({ params: { prompt } }) =>
      typeof prompt === "string" && prompt.trim() !== ""
        ? undefined
        : { path: "params.prompt", says: `is ${describeValue(prompt)}: the task in words belongs there` },
  },
  {
    name: "robot-type",
    level: "soft",
    wants: "The robot is one whose units are known.",
    needs: ["observation-envelope"],
    find: (observation) =>
      findItsRobot(observation) === undefined
        ? {
            path: "params.robot_type",
            says: `is ${describeValue(observation.params["robot_type"])}: units cannot be checked`,
          }
        : undefined,
  },
  {
    name: "episode",
    level: "soft",
    wants: "The observation names its task and counts its episodes.",
    needs: ["observation-envelope"],
    find: findNoEpisode,
  },
];

function findItsRobot({ params }: Observation): Robot | undefined {
  const robotType = params["robot_type"];
  return typeof robotType === "string" ? findRobot(robotType) : undefined;
}

function findBadTime({ params }: Observation): Finding | undefined {
  const times = isMap(params["timestamps"]) ? params["timestamps"] : {};
  for (const name of ["head", "states"]) {
    const time = times[name];
    if (typeof time === "bigint" || Number.isSafeInteger(time)) continue;
    return {
      path: `params.timestamps.${name}`,
      says: `is ${describeValue(time)}: whole nanoseconds belong there`,
    };
  }
  if (times["head"] === times["states"]) return undefined;
  return {
    path: "params.timestamps.states",
    says: `is ${times["states"]} while head is ${times["head"]}: they are equal`,
  };
}

/** Without a number of joints to hold it against, any list of numbers is right. */
function findBadNumbers(
  { states }: Observation,
  name: string,
  count: number | undefined,
): Finding | undefined {
  const path = `params.states.${name}`;
  const numbers = readNumbers(states[name]);
  if (numbers === undefined)
    return { path, says: `is ${describeValue(states[name])}: a list of numbers belongs there` };
  const odd = numbers.findIndex((value) => !Number.isFinite(value));
  if (odd !== -1) return { path: `${path}[${odd}]`, says: `is ${numbers[odd]}: every number must be finite` };
  if (count === undefined || numbers.length === count) return undefined;
  return { path, says: `has ${countNumbers(numbers)}: ${count} belong there` };
}

function findOtherUnit(observation: Observation): Finding | undefined {
  const range = findItsRobot(observation)?.gripperState;
  if (range === undefined) return undefined;
  const slack = 0.1 * (range.most - range.least);
  const grippers = readNumbers(observation.states["gripper_states"]) ?? [];
  const odd = grippers.findIndex((value) => value < range.least - slack || value > range.most + slack);
  if (odd === -1) return undefined;
  return {
    path: `params.states.gripper_states[${odd}]`,
    says: `is ${grippers[odd]}: a ${observation.params["robot_type"]} gives ${range.least} to ${range.most}`,
  };
}

function findBadPose({ states }: Observation): Finding | undefined {
  const poses = states["end_pose"];
  if (poses === undefined || poses === null) return undefined;
  for (const frame of POSE_FRAMES) {
    for (const arm of ["left_arm", "right_arm"]) {
      const path = `params.states.end_pose.${frame}.${arm}`;
      const arms = isMap(poses) ? poses[frame] : undefined;
      const pose = isMap(arms) ? arms[arm] : undefined;
      if (!isMap(pose)) return { path, says: `is ${describeValue(pose)}: a pose belongs there` };
      if (readNumbers(pose["position"])?.length !== 3)
        return { path: `${path}.position`, says: "is not 3 numbers" };
      if (readNumbers(pose["orientation"])?.length !== 4)
        return { path: `${path}.orientation`, says: "is not 4 numbers" };
    }
  }
  return undefined;
}

function findNoEpisode({ params }: Observation): Finding | undefined {
  const { task_name: task, episode_idx: index } = params;
  if (typeof task !== "string" || task === "")
    return { path: "params.task_name", says: `is ${describeValue(task)}` };
  if (Number.isSafeInteger(readNumber(index))) return undefined;
  return { path: "params.episode_idx", says: `is ${describeValue(index)}: a whole number belongs there` };
}
