import { findDialect } from "./dialects.ts";
import { findInside } from "./find-inside.ts";
import { isMap, type PayloadMap, unpack } from "./unpack.ts";

/**
 * - `g2`: the challenge's own observation, `{method: "infer", params: {…}}`.
 * - `openpi`: a map with numpy arrays in openpi's form.
 * - `opaque`: anything else. Nothing is known of what may answer it.
 */
export type PayloadKind = "g2" | "openpi" | "opaque";

/** What the checks of an action, and a handler with memory, need to know of the observation that it answers. */
export interface ObservedState {
  readonly robotType?: string;
  /** Radians, left 7 then right 7. */
  readonly armJoints?: readonly number[];
  readonly waistJoints?: readonly number[];
  /** Left, right, in the robot's own unit. */
  readonly grippers?: readonly number[];
  readonly episodeIndex?: number;
  /** A reply must carry it back where it is there. */
  readonly policyRng?: number;
}

export interface ReadObservation {
  readonly kind: PayloadKind;
  /** Of kind `g2` only. */
  readonly state?: ObservedState;
}

/** Which kind of payload an observation is. Never throws. */
export function detectKind(bytes: Uint8Array): PayloadKind {
  return readObservation(bytes).kind;
}

/** The kind of an observation and, where it is the challenge's own, what its action is checked against. Never throws. */
export function readObservation(bytes: Uint8Array): ReadObservation {
  const unpacked = unpack(bytes);
  if (unpacked.fault !== undefined || !isMap(unpacked.value)) return { kind: "opaque" };
  const { method, params } = unpacked.value;
  if (method === "infer" && isMap(params)) return { kind: "g2", state: readState(params) };
  const openpi = findInside(unpacked.value, (value) => findDialect(value)?.dialect === "openpi" || undefined);
  return { kind: openpi === undefined ? "opaque" : "openpi" };
}

/** An observation of the challenge as its rules look at it. */
export interface Observation {
  /** Why it could not be unpacked. */
  readonly fault?: string;
  readonly value: unknown;
  /** These are empty where there are none. */
  readonly params: PayloadMap;
  readonly images: PayloadMap;
  readonly states: PayloadMap;
}

/** Takes the bytes of an observation apart for the rules. Never throws. */
export function takeApart(bytes: Uint8Array): Observation {
  const unpacked = unpack(bytes);
  const value = unpacked.fault === undefined ? unpacked.value : undefined;
  const params = readMap(isMap(value) ? value["params"] : undefined);
  const images = readMap(params["images"]);
  return { fault: unpacked.fault, value, params, images, states: readMap(params["states"]) };
}

/** A number that may have come as a 64-bit integer. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : undefined;
}

/** A list that holds numbers alone; undefined for anything else. */
export function readNumbers(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.map(readNumber);
  return numbers.includes(undefined) ? undefined : (numbers as number[]);
}

function readState(params: PayloadMap): ObservedState {
  const states = readMap(params["states"]);
  const robotType = params["robot_type"];
  return {
    robotType: typeof robotType === "string" ? robotType : undefined,
    armJoints: readNumbers(states["arm_joint_states"]),
    waistJoints: readNumbers(states["waist_joint_states"]),
    grippers: readNumbers(states["gripper_states"]),
    episodeIndex: readNumber(params["episode_idx"]),
    policyRng: readNumber(params["policy_rng"]),
  };
}

function readMap(value: unknown): PayloadMap {
  return isMap(value) ? value : {};
}
