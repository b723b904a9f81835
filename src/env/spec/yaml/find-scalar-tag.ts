import { YAML_TAG } from "./node.ts";

/**
 * What a scalar without quotes is, by the patterns of YAML 1.1 as PyYAML has them: `1e3` and `0o17` are texts, `017` is 15,
 * `1:30` is 90, and a sign stands before no float that begins with a point. The line end at the end is Python's `$`.
 */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["bool", /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)\n?$/],
  [
    "float",
    /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\n?$/,
  ],
  [
    "int",
    /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)\n?$/,
  ],
  ["merge", /^<<\n?$/],
  ["null", /^(?:(?:~|null|Null|NULL)\n?)?$/],
  [
    "timestamp",
    /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?)\n?$/,
  ],
  ["value", /^=\n?$/],
];

/** The tag of a scalar that has none; with quotes, or as a block of text, it is always a text. */
export function findScalarTag(text: string, isPlain: boolean): string {
  const found = isPlain ? PATTERNS.find(([, pattern]) => pattern.test(text)) : undefined;
  return YAML_TAG + (found?.[0] ?? "str");
}
