/** Metres, or a direction of length 1. */
export type Vector = readonly [x: number, y: number, z: number];

/** A rotation as its rows: what a turned thing's vector is in the frame around it. */
export type Rotation = readonly [Vector, Vector, Vector];

export const NO_ROTATION: Rotation = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export function addVectors(a: Vector, b: Vector, share = 1): Vector {
  return [a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]];
}

export function subtractVectors(a: Vector, b: Vector): Vector {
  return addVectors(a, b, -1);
}

export function measureDistance(a: Vector, b: Vector): number {
  return Math.hypot(...subtractVectors(a, b));
}

export function multiplyVectors(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function crossVectors(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function normalizeVector(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

export function rotateVector(rotation: Rotation, vector: Vector): Vector {
  return [
    multiplyVectors(rotation[0], vector),
    multiplyVectors(rotation[1], vector),
    multiplyVectors(rotation[2], vector),
  ];
}

/** A column of a rotation: where it turns this axis (0 x, 1 y, 2 z). */
export function findAxis(rotation: Rotation, axis: 0 | 1 | 2): Vector {
  return [rotation[0][axis], rotation[1][axis], rotation[2][axis]];
}

/** The rotation, with a turn about one of its own axes behind it; in radians. */
export function turnAbout(rotation: Rotation, axis: "x" | "y" | "z", angle: number): Rotation {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const turnRow = ([x, y, z]: Vector): Vector => {
    if (axis === "x") return [x, c * y + s * z, c * z - s * y];
    if (axis === "y") return [c * x - s * z, y, c * z + s * x];
    return [c * x + s * y, c * y - s * x, z];
  };
  return [turnRow(rotation[0]), turnRow(rotation[1]), turnRow(rotation[2])];
}

/** The rotation as a quaternion (x, y, z, w) of length 1 with w of 0 or more. */
export function makeQuaternion(rotation: Rotation): [number, number, number, number] {
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = rotation;
  const findPart = (sum: number) => Math.sqrt(Math.max(0, 1 + sum)) / 2;
  const w = findPart(xx + yy + zz);
  const parts = [findPart(xx - yy - zz), findPart(yy - xx - zz), findPart(zz - xx - yy)] as const;
  const largest = parts.indexOf(Math.max(...parts));
  // Signs come from the largest part, so that they hold where w is 0, at half a turn.
  if (w > parts[largest as 0]) return [(zy - yz) / (4 * w), (xz - zx) / (4 * w), (yx - xy) / (4 * w), w];
  const part = parts[largest as 0];
  const quaternion = [
    [part, (xy + yx) / (4 * part), (xz + zx) / (4 * part), (zy - yz) / (4 * part)],
    [(xy + yx) / (4 * part), part, (yz + zy) / (4 * part), (xz - zx) / (4 * part)],
    [(xz + zx) / (4 * part), (yz + zy) / (4 * part), part, (yx - xy) / (4 * part)],
  ][largest] as [number, number, number, number];
  const sign = quaternion[3] < 0 ? -1 : 1;
  return quaternion.map((value) => sign * value) as [number, number, number, number];
}
