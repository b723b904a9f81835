/** A value as Python has it: whole numbers are bigint, floats number. */
export type YamlValue = null | boolean | bigint | number | string | YamlList | YamlMap | ForeignValue;

export interface YamlList {
  readonly kind: "list";
  readonly line: number;
  readonly items: YamlItem[];
}

export interface YamlItem {
  readonly value: YamlValue;
  readonly line: number;
}

export interface YamlMap {
  readonly kind: "map";
  readonly line: number;
  /** By what Python holds for equal: 1, 1.0 and true are one key. */
  readonly entries: Map<string, YamlEntry>;
}

export interface YamlEntry extends YamlItem {
  readonly key: YamlKey;
  readonly keyLine: number;
}

export type YamlKey = null | boolean | bigint | number | string | ForeignValue;

/** What Python makes of the text but JSON cannot say. */
export interface ForeignValue {
  readonly kind: "foreign";
  readonly line: number;
  /** Such as "a date". */
  readonly what: string;
  readonly text: string;
}

/** Equal for keys that are equal in Python. */
export function makeKeyId(key: YamlKey): string {
  if (key === null) return "null";
  if (typeof key === "string") return `text ${key}`;
  if (typeof key === "boolean") return `number ${Number(key)}`;
  if (typeof key === "bigint") return `number ${key}`;
  if (typeof key === "number") return `number ${Number.isInteger(key) ? BigInt(key) : key}`;
  return `${key.what} ${key.text}`;
}

export function isYamlKey(value: YamlValue): value is YamlKey {
  return value === null || typeof value !== "object" || (value.kind === "foreign" && value.what !== "a set");
}
