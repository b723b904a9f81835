import {
  isListOf,
  isNumber,
  isOneOf,
  isOrNull,
  isShape,
  isText,
  isTextList,
  parseJson,
} from "../../base/shape.ts";

/** What `witness.py` found out, as it prints it. */
export interface WitnessFacts {
  readonly library: string;
  readonly version: string | null;
  readonly python: string;
  readonly device: "gpu" | "cpu";
  /** Of the card; null: not known, as of a CPU. */
  readonly name: string | null;
  /** 32 hex digits, with dashes or without; null: the library does not tell. */
  readonly uuid: string | null;
  /** As in `8.0`. */
  readonly capability: string | null;
  /** The CUDA that the library was built for, as in `12.1`. */
  readonly cuda: string | null;
  readonly checks: readonly WitnessCheck[];
  /** Half types that the library does not have on a CPU. */
  readonly skipped: readonly string[];
  /** Why it does not pass; null: it passes. */
  readonly reason: string | null;
  readonly seconds: number;
}

export interface WitnessCheck {
  readonly name: string;
  readonly type: string;
  /** The largest one, as a part of the largest value; null: NaN, infinity or another shape. */
  readonly error: number | null;
  readonly tolerance: number;
  readonly passed: boolean;
}

const isCheck = isShape<WitnessCheck>({
  name: isText,
  type: isText,
  error: isOrNull(isNumber),
  tolerance: isNumber,
  passed: isOneOf(true, false),
});

const isFacts = isShape<WitnessFacts>({
  library: isText,
  version: isOrNull(isText),
  python: isText,
  device: isOneOf("gpu", "cpu"),
  name: isOrNull(isText),
  uuid: isOrNull(isText),
  capability: isOrNull(isText),
  cuda: isOrNull(isText),
  checks: isListOf(isCheck),
  skipped: isTextList,
  reason: isOrNull(isText),
  seconds: isNumber,
});

/**
 * The line of facts, whether the sentinel of this token is the last line, and what else was printed before them; null
 * where there are no facts.
 */
export function readWitness(
  stdout: string,
  token: string,
): { facts: WitnessFacts; isSealed: boolean; before: string } | null {
  const lines = stdout.trimEnd().split("\n");
  const isSealed = lines.at(-1) === `SORTIE-WITNESS ${token} ok`;
  const own = isSealed ? -2 : -1;
  const facts = parseJson(lines.at(own) ?? "", isFacts);
  return facts === null ? null : { facts, isSealed, before: lines.slice(0, own).join("\n") };
}
