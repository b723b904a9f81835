import { describeValue, joinPath } from "./describe-value.ts";
import type { ObservedState } from "./observation.ts";
import { readNumber } from "./observation.ts";
import type { Finding } from "./rule.ts";
import { isMap, type PayloadMap, unpack } from "./unpack.ts";

/** What can be moved: the keys of `result` whose values are a row of numbers a step. */
export type PartName = "left_arm" | "right_arm" | "left_effector" | "right_effector" | "waist" | "head";

/** One moving part of an action. */
export interface Part {
  readonly name: PartName;
  /** Where its rows lie: `result.left_arm.values`, `result.left_effector`. */
  readonly path: string;
  /** What the key holds as it came; undefined when it is missing. */
  readonly sent: unknown;
  readonly kind: unknown;
  /** A row a step; empty where `problem` says why there are none. */
  readonly rows: readonly (readonly number[])[];
  readonly problem?: Finding;
}

/** An action as the rules look at it. */
export interface Action {
  readonly bytes: number;
  /** Why it could not be unpacked. */
  readonly fault?: string;
  readonly value: unknown;
  /** Empty where there is none. */
  readonly result: PayloadMap;
  readonly parts: Readonly<Record<PartName, Part>>;
  readonly context: ActionContext;
}

/** What is known beside the bytes. */
export interface ActionContext {
  /** The observation that is answered. */
  readonly state?: ObservedState;
  /** False when the reply went out as a text frame. */
  readonly binary?: boolean;
  readonly board?: string;
}

/** Takes the bytes of an action apart for the rules. Never throws. */
export function readAction(bytes: Uint8Array, context: ActionContext = {}): Action {
  const unpacked = unpack(bytes);
  const value = unpacked.fault === undefined ? unpacked.value : undefined;
  const result = isMap(value) && isMap(value["result"]) ? value["result"] : {};
  const parts = {
    left_arm: readMapPart("left_arm", result),
    right_arm: readMapPart("right_arm", result),
    left_effector: readListPart("left_effector", result),
    right_effector: readListPart("right_effector", result),
    waist: readMapPart("waist", result),
    head: Array.isArray(result["head"]) ? readListPart("head", result) : readMapPart("head", result),
  };
  return { bytes: bytes.length, fault: unpacked.fault, value, result, parts, context };
}

/** A part that wraps its rows: `{kind, values}`. */
function readMapPart(name: PartName, result: PayloadMap): Part {
  const sent = result[name];
  const path = `result.${name}`;
  if (!isMap(sent)) {
    const problem = { path, says: `is ${describeValue(sent)}: a map with "values" belongs there` };
    return { name, path, sent, kind: undefined, rows: [], problem };
  }
  const valuesPath = joinPath(path, "values");
  return { name, path: valuesPath, sent, kind: sent["kind"], ...readRows(sent["values"], valuesPath) };
}

/** A part that is its rows. */
function readListPart(name: PartName, result: PayloadMap): Part {
  const path = `result.${name}`;
  return { name, path, sent: result[name], kind: undefined, ...readRows(result[name], path) };
}

function readRows(values: unknown, path: string): Pick<Part, "rows" | "problem"> {
  if (!Array.isArray(values)) {
    const wrapped = isMap(values) ? ", not a map around it" : "";
    const says = `is ${describeValue(values)}: a list with a list of numbers for each step belongs there${wrapped}`;
    return { rows: [], problem: { path, says } };
  }
  const rows: (readonly number[])[] = [];
  for (const [step, sent] of values.entries()) {
    const row = readRow(sent, `${path}[${step}]`);
    if ("says" in row) return { rows: [], problem: row };
    rows.push(row);
  }
  return { rows };
}

function readRow(row: unknown, path: string): readonly number[] | Finding {
  if (!Array.isArray(row)) return { path, says: `is ${describeValue(row)}: each step is a list of numbers` };
  if (row.every((item) => typeof item === "number")) return row;
  const numbers = row.map(readNumber);
  const wrong = numbers.indexOf(undefined);
  if (wrong === -1) return numbers as number[];
  return { path: `${path}[${wrong}]`, says: `is ${describeValue(row[wrong])}: a number belongs there` };
}
