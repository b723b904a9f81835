import type { PartName } from "../../payload/action.ts";
import { describeValue, joinPath, showKey } from "../../payload/describe-value.ts";
import { isExt, isMap, type PayloadMap, unpack } from "../../payload/unpack.ts";
import { type FloatArray, readFloatArray } from "./read-array.ts";

/** Where numbers of an action differ: in a moving part, or in what is none. */
export type DifferencePlace = PartName | "other";

/** In what two actions differ. */
export interface ActionComparison {
  /** The same bytes, or the same values but for numbers that are no further apart than the tolerance. */
  readonly isEqual: boolean;
  readonly first: FirstDifference | null;
  /** The largest distance between two numbers of a place, tolerated ones too; of places where numbers differ alone. */
  readonly largest: Largest;
}

/** The first place, from the top, at which they differ, and in words what is there. */
export interface FirstDifference {
  readonly path: string;
  readonly recorded: string;
  readonly replayed: string;
}

export type Largest = Readonly<Partial<Record<DifferencePlace, number>>>;

/** Compares two actions: as bytes, then as what they say. What is no msgpack is compared as bytes alone. Never throws. */
export function compareActions(
  recorded: Uint8Array,
  replayed: Uint8Array,
  tolerance: number,
): ActionComparison {
  if (isSame(recorded, replayed)) return { isEqual: true, first: null, largest: {} };
  const [one, other] = [unpack(recorded), unpack(replayed)];
  if (one.fault !== undefined || other.fault !== undefined) {
    const path = `byte ${findFirstByte(recorded, replayed)}`;
    return { isEqual: false, first: { path, ...describeBoth(recorded, replayed) }, largest: {} };
  }
  const walk = new Walk(tolerance);
  walk.compare(one.value, other.value, "");
  return { isEqual: walk.first === null, first: walk.first, largest: walk.largest };
}

/** Goes through two values at once, and keeps what it finds. */
class Walk {
  first: FirstDifference | null = null;
  readonly largest: Partial<Record<DifferencePlace, number>> = {};
  readonly #tolerance: number;

  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  compare(recorded: unknown, replayed: unknown, path: string): void {
    const [one, other] = [readFloatArray(recorded), readFloatArray(replayed)];
    if (isNumeric(recorded) && isNumeric(replayed)) this.#compareNumbers(recorded, replayed, path);
    else if (Array.isArray(recorded) && Array.isArray(replayed)) this.#compareLists(recorded, replayed, path);
    else if (one && other) this.#compareArrays(one, other, path);
    else if (isMap(recorded) && isMap(replayed)) this.#compareMaps(recorded, replayed, path);
    else if (!isSameValue(recorded, replayed)) this.#note(recorded, replayed, path);
  }

  #compareNumbers(recorded: number | bigint, replayed: number | bigint, path: string): void {
    // biome-ignore lint/suspicious/noDoubleEquals: an integer is the same number, whatever it was packed as
    if (recorded == replayed || Object.is(recorded, replayed)) return;
    const distance = Math.abs(Number(recorded) - Number(replayed));
    const place = findPlace(path);
    if (!Number.isNaN(distance)) this.largest[place] = Math.max(this.largest[place] ?? 0, distance);
    if (!(distance <= this.#tolerance)) this.#note(recorded, replayed, path);
  }

  #compareLists(recorded: readonly unknown[], replayed: readonly unknown[], path: string): void {
    if (recorded.length !== replayed.length) this.#note(recorded, replayed, path);
    const length = Math.min(recorded.length, replayed.length);
    for (let index = 0; index < length; index += 1)
      this.compare(recorded[index], replayed[index], `${path}[${index}]`);
  }

  #compareArrays(recorded: FloatArray, replayed: FloatArray, path: string): void {
    this.#compareLists(recorded.shape, replayed.shape, joinPath(path, "shape"));
    this.#compareLists(recorded.values, replayed.values, path);
  }

  #compareMaps(recorded: PayloadMap, replayed: PayloadMap, path: string): void {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)]))
      this.compare(recorded[key], replayed[key], joinPath(path, showKey(key)));
  }

  #note(recorded: unknown, replayed: unknown, path: string): void {
    this.first ??= { path: path || "the action", ...describeBoth(recorded, replayed) };
  }
}

function findPlace(path: string): DifferencePlace {
  const [, part] = /^result\.(left_arm|right_arm|left_effector|right_effector|waist|head)\b/.exec(path) ?? [];
  return (part as PartName | undefined) ?? "other";
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return isSame(one, other);
  if (isExt(one) && isExt(other)) return one.type === other.type && isSameValue(one.data, other.data);
  return Object.is(one, other);
}

/** Two values that differ, though their words may be the same. */
function describeBoth(one: unknown, other: unknown): Omit<FirstDifference, "path"> {
  const [recorded, replayed] = [describeValue(one), describeValue(other)];
  return { recorded, replayed: recorded === replayed ? `${replayed}, but another` : replayed };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function findFirstByte(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? one.length : at;
}
