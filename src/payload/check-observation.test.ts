import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRecorded } from "../../test/support/actions.ts";
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../../test/support/damage-frames.ts";
import { checkObservation, observationRules } from "./check-observation.ts";
import {
  makeObservation,
  makeRestingState,
  type ObservationParts,
  type Picture,
} from "./make-observation.ts";
import { detectKind, readObservation } from "./observation.ts";
import { type Packable, pack } from "./pack.ts";
import { robots } from "./robots.ts";
import { unpack } from "./unpack.ts";

type Draft = Record<string, unknown>;

/** The recorded observation with what lies at a path replaced; undefined takes it away. */
function replace(path: string, value: Packable): Uint8Array {
  const { value: root } = unpack(readRecorded("g2-observation")) as { value: Draft };
  const keys = path.split(".");
  const last = keys.pop() as string;
  const place = keys.reduce((inner, key) => inner[key] as Draft, root);
  if (value === undefined) delete place[last];
  else place[last] = value;
  return pack(root as Packable);
}

function makeParts(robotType: keyof typeof robots): ObservationParts {
  const recorded = robotType.startsWith("G1") ? "g1-observation" : "g2-observation";
  const { value } = unpack(readRecorded(recorded)) as { value: { params: { images: Draft } } };
  const takePicture = (camera: string): Picture => {
    const { image_data: jpeg, height, width } = value.params.images[camera] as Draft;
    return { jpeg: jpeg as Uint8Array, height: height as number, width: width as number };
  };
  const pictures = {
    head: takePicture("head"),
    hand_left: takePicture("hand_left"),
    hand_right: takePicture("hand_right"),
  };
  return {
    robotType,
    timeNs: 1_790_000_000_123_456_789n,
    pictures,
    state: makeRestingState(robotType),
    prompt: "put the cup on the plate",
    taskName: "place_cup",
    episodeIndex: 3,
  };
}

const cases: Record<string, { path: string; says: string; bytes: () => Uint8Array }> = {
  "observation-msgpack": {
    path: "",
    says: "looks like JSON text",
    bytes: () => new TextEncoder().encode('{"method": "infer"}'),
  },
  "observation-plain": {
    path: "params.states.gripper_states",
    says: "is a numpy array in vla-eval's form",
    bytes: () => replace("params.states.gripper_states", { __ndarray__: true }),
  },
  "observation-envelope": {
    path: "method",
    says: 'is not "infer"',
    bytes: () => replace("method", "reset"),
  },
  pictures: {
    path: "params.images.hand_left",
    says: "is missing: a map with a picture",
    bytes: () => replace("params.images.hand_left", undefined),
  },
  "picture-size": {
    path: "params.images.head",
    says: "says 640 high and 640 wide, and its JPEG is 400 high",
    bytes: () => replace("params.images.head.height", 640),
  },
  "camera-size": {
    path: "params.images.head",
    says: "is 400 high and 640 wide: on a G1_120s it is 480 and 640",
    bytes: () => makeObservation({ ...makeParts("G1_120s"), pictures: makeParts("G2_omnipicker").pictures }),
  },
  depth: {
    path: "params.images.head_depth.image_data",
    says: "is 7 bytes: height and width make 8 bytes",
    bytes: () =>
      replace("params.images.head_depth", {
        encoding: "RAW_UINT16",
        image_data: new Uint8Array(7),
        height: 2,
        width: 2,
      }),
  },
  history: {
    path: "params.history.images",
    says: "is missing: a list of maps",
    bytes: () => replace("params.history", { interval: 5 }),
  },
  timestamps: {
    path: "params.timestamps.states",
    says: "is 5 while head is 1790000000123456789: they are equal",
    bytes: () => replace("params.timestamps.states", 5),
  },
  "arm-states": {
    path: "params.states.arm_joint_states",
    says: "has 1 number: 14 belong there",
    bytes: () => replace("params.states.arm_joint_states", [0.1]),
  },
  "gripper-states": {
    path: "params.states.gripper_states[1]",
    says: "is NaN: every number must be finite",
    bytes: () => replace("params.states.gripper_states", [0, Number.NaN]),
  },
  "gripper-unit": {
    path: "params.states.gripper_states[0]",
    says: "is 33.6: a G2_omnipicker gives -0.785 to 0",
    bytes: () => replace("params.states.gripper_states", [33.6, 0]),
  },
  "waist-states": {
    path: "params.states.waist_joint_states",
    says: "has 2 numbers: 5 belong there",
    bytes: () => replace("params.states.waist_joint_states", [0, 0]),
  },
  "head-states": {
    path: "params.states.head_joint_states",
    says: "is null: a list of numbers",
    bytes: () => replace("params.states.head_joint_states", null),
  },
  "end-pose": {
    path: "params.states.end_pose.arm_base_link.left_arm.orientation",
    says: "is not 4 numbers",
    bytes: () => replace("params.states.end_pose.arm_base_link.left_arm.orientation", [1, 0, 0]),
  },
  prompt: {
    path: "params.prompt",
    says: 'is the text "": the task in words',
    bytes: () => replace("params.prompt", ""),
  },
  "robot-type": {
    path: "params.robot_type",
    says: 'is the text "constructor": units cannot be checked',
    bytes: () => replace("params.robot_type", "constructor"),
  },
  episode: {
    path: "params.episode_idx",
    says: "is missing: a whole number",
    bytes: () => replace("params.episode_idx", undefined),
  },
};

describe("observations", () => {
  it.each(["g2-observation", "g1-observation"])("of Python break no rule: %s", (name) => {
    expect(checkObservation(readRecorded(name))).toEqual([]);
  });

  it.each(Object.keys(cases))("break %s and no other rule", (rule) => {
    const { path, says, bytes } = cases[rule] as (typeof cases)[string];
    const level = observationRules.find(({ name }) => name === rule)?.level;
    expect(checkObservation(bytes())).toEqual([
      { name: rule, level, path, sentence: expect.stringContaining(says) },
    ]);
  });

  it("have an example here for every rule", () => {
    expect(Object.keys(cases)).toEqual(observationRules.map(({ name }) => name));
  });

  it.each(Object.keys(robots))("made for a %s break no rule, with depth and history", (robotType) => {
    const parts = makeParts(robotType);
    const size = { height: 2, width: 4, millimetres: new Uint8Array(16) };
    const bytes = makeObservation({
      ...parts,
      depth: { head: size, hand_left: size, hand_right: size },
      history: { interval: 5, pictures: [parts.pictures, { head: parts.pictures.head }] },
      progress: [{ name: "grasp", score: 0, status: "PENDING" }],
      policyRng: 4_000_000_000,
    });
    expect(checkObservation(bytes)).toEqual([]);
    expect(readObservation(bytes)).toEqual({
      kind: "g2",
      state: {
        robotType,
        armJoints: new Array(14).fill(0),
        waistJoints: parts.state.waistJoints,
        grippers: parts.state.grippers,
        episodeIndex: 3,
        policyRng: 4_000_000_000,
      },
    });
  });

  it("carry the time to the last digit and measures as floats", () => {
    const { value } = unpack(makeObservation(makeParts("G1_omnipicker"))) as { value: { params: Draft } };
    expect(value.params["timestamps"]).toEqual({
      head: 1_790_000_000_123_456_789n,
      states: 1_790_000_000_123_456_789n,
    });
    expect(value.params["episode_idx"]).toBe(3n);
    const state = { ...makeRestingState("G1_120s"), armJoints: new Array(14).fill(1) };
    const withOnes = makeObservation({ ...makeParts("G1_120s"), state });
    expect(withOnes.length).toBe(makeObservation(makeParts("G1_120s")).length);
  });
});

describe("the kind of a payload", () => {
  it.each<[string, Uint8Array]>([
    ["g2", readRecorded("g2-observation")],
    ["g2", readRecorded("g1-observation")],
    ["openpi", readRecorded("openpi-observation")],
    ["opaque", pack({ method: "infer" })],
    ["opaque", pack({ "observation/state": [0.1], prompt: "open the drawer" })],
    ["opaque", readRecorded("vla-eval-action")],
    ["opaque", new Uint8Array()],
    ["opaque", new TextEncoder().encode("hello")],
  ])("%s", (kind, bytes) => {
    expect(detectKind(bytes)).toBe(kind);
  });
});

describe("bytes of any kind", () => {
  it("never make the checks throw", () => {
    const odd = fc.oneof(fc.constant(null), fc.double(), fc.string(), fc.array(fc.double()), fc.uint8Array());
    const path = fc.constantFrom(
      "method",
      "params",
      "params.images",
      "params.images.head.image_data",
      "params.images.head.width",
      "params.states",
      "params.timestamps.head",
      "params.states.end_pose.base_link",
      "params.robot_type",
      "params.history",
    );
    fc.assert(
      fc.property(path, odd, (place, value) => {
        const bytes = replace(place, value);
        checkObservation(bytes);
        readObservation(bytes);
      }),
      { numRuns: 300 },
    );
  });

  it(`never make them throw where ${damagedFrameCount} observations are damaged, seed ${damageSeed}`, () => {
    const small = {
      height: 8,
      width: 8,
      jpeg: Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1),
    };
    const pictures = { head: small, hand_left: small, hand_right: small };
    const samples = [
      makeObservation({ ...makeParts("G1_120s"), pictures }),
      readRecorded("openpi-observation"),
    ];
    let tried = 0;
    for (const bytes of makeDamagedFrames(samples, damageSeed)) {
      checkObservation(bytes);
      readObservation(bytes);
      tried += 1;
      if (tried === damagedFrameCount) break;
    }
    expect(tried).toBe(damagedFrameCount);
  });
});
