import { type Packable, pack } from "../../payload/pack.ts";

/** Side of a picture in pixels, as openpi's own clients resize to. */
const SIDE = 224;
const CHANNELS = 3;

const joints = { libero: 8, droid: 7, aloha: 14 };

/**
 * An observation in openpi's dialect: numpy arrays as maps with keys of bytes. A policy reads the keys of its own robot and
 * leaves the others, so those of openpi's three examples (LIBERO, DROID, ALOHA) are all there.
 */
export function makeOpenpiObservation(prompt: string, step: number): Uint8Array {
  const picture = makePicture(step);
  const swing = (count: number) =>
    Float32Array.from({ length: count }, (_, joint) => 0.05 * Math.sin(joint + step / 5));
  return packMap([
    ["observation/image", picture],
    ["observation/wrist_image", picture],
    ["observation/state", packFloats(swing(joints.libero))],
    ["observation/exterior_image_1_left", picture],
    ["observation/wrist_image_left", picture],
    ["observation/joint_position", packFloats(swing(joints.droid))],
    ["observation/gripper_position", packFloats(swing(1))],
    ["images", packMap(["cam_high", "cam_left_wrist", "cam_right_wrist"].map((name) => [name, picture]))],
    ["state", packFloats(swing(joints.aloha))],
    ["prompt", pack(prompt)],
  ]);
}

/** Two slopes of colour, which move from step to step. */
function makePicture(step: number): Uint8Array {
  const pixels = Uint8Array.from({ length: SIDE * SIDE * CHANNELS }, (_, at) => (at + 7 * step) % 251);
  return packArray(pixels, "|u1", [SIDE, SIDE, CHANNELS]);
}

function packFloats(values: Float32Array): Uint8Array {
  return packArray(new Uint8Array(values.buffer), "<f4", [values.length]);
}

function packArray(data: Uint8Array, dtype: string, shape: readonly number[]): Uint8Array {
  return packMap(
    [
      ["__ndarray__", pack(true)],
      ["data", pack(data)],
      ["dtype", pack(dtype)],
      ["shape", pack(shape)],
    ],
    (key) => new TextEncoder().encode(key),
  );
}

/** A map of at most 15 entries; its values are packed already. */
function packMap(
  entries: readonly (readonly [string, Uint8Array])[],
  makeKey: (key: string) => Packable = (key) => key,
): Uint8Array {
  const parts = entries.flatMap(([key, value]) => [pack(makeKey(key)), value]);
  return Buffer.concat([Uint8Array.of(0x80 | entries.length), ...parts]);
}
