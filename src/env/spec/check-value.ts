import { findNearest } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { Refuse } from "./refusal.ts";
import type { YamlItem, YamlValue } from "./yaml/value.ts";

/** A value with its place in the specification, such as `pip_phases[0]`. */
export interface Found extends YamlItem {
  readonly at: string;
  readonly refuse: Refuse;
}

/**
 * The values of a mapping by their names; a name without a value is as if left out. `known`: the only names allowed; null:
 * any text. @throws spec_bad with the nearest known name
 */
export function readFields<Name extends string>(
  found: Found,
  known: readonly Name[] | null,
): Readonly<Partial<Record<Name, Found>>> {
  const { value, refuse } = found;
  if (typeof value !== "object" || value === null || value.kind !== "map")
    throw makeMismatch(found, "a mapping (name: value)");
  const fields: Partial<Record<string, Found>> = Object.create(null);
  for (const { key, keyLine, value: inner, line } of value.entries.values()) {
    if (typeof key !== "string")
      throw refuse(
        keyLine,
        `a name in ${found.at} is ${describeValue(key)}, not a text`,
        "Put that name in quotes.",
      );
    if (known && !(known as readonly string[]).includes(key)) throw makeUnknown(found, key, keyLine, known);
    const at = found.at === "it" ? key : `${found.at}.${key}`;
    if (inner !== null || !known) fields[key] = { value: inner, line, at, refuse };
  }
  return fields as Partial<Record<Name, Found>>;
}

/** The items of a list, each read; none where it is left out. @throws spec_bad */
export function readList<Item>(found: Found | undefined, read: (item: Found) => Item): readonly Item[] {
  if (!found) return [];
  const { value, at, refuse } = found;
  if (typeof value !== "object" || value === null || value.kind !== "list")
    throw makeMismatch(found, "a list");
  return value.items.map((item, index) => read({ ...item, at: `${at}[${index}]`, refuse }));
}

/** @throws spec_bad */
export function readText(found: Found, { mayBeEmpty = false } = {}): string {
  const { value, line, at, refuse } = found;
  if (typeof value !== "string") throw makeMismatch(found, "a text");
  if (!mayBeEmpty && value.trim() === "")
    throw refuse(line, `${at} is an empty text`, "Fill it in, or remove it.");
  if (value.includes("\0"))
    throw refuse(line, `${at} holds a NUL character`, "No command can take it: remove it.");
  return value;
}

/** @throws spec_bad */
export function readFlag(found: Found): boolean {
  if (typeof found.value !== "boolean") throw makeMismatch(found, "true or false");
  return found.value;
}

/** The name of a variable that every shell can export. @throws spec_bad */
export function readVariableName(found: Found): string {
  const name = readText(found);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw found.refuse(
      found.line,
      `${found.at}: ${quoteInput(name)} cannot be the name of a variable`,
      "Letters, digits and _ make such a name, and no digit stands first.",
    );
  return name;
}

function makeMismatch(found: Found, wanted: string) {
  const { line, at, value } = found;
  const isNumber = ["bigint", "number", "boolean"].includes(typeof value);
  const advice = wanted === "a text" && isNumber ? "Put it in quotes." : `Write ${wanted} there.`;
  return found.refuse(line, `${at} must be ${wanted}, but is ${describeValue(value)}`, advice);
}

function makeUnknown(found: Found, key: string, line: number, known: readonly string[]) {
  const nearest = findNearest(key, known, Math.max(2, Math.floor(key.length / 2)));
  const where = found.at === "it" ? "" : ` in ${found.at}`;
  const question = nearest ? `Did you mean \`${nearest}\`? ` : "";
  return found.refuse(
    line,
    `the key ${quoteInput(key)} is not known${where}`,
    `${question}Known there: ${known.join(", ")}.`,
  );
}

function describeValue(value: YamlValue): string {
  if (value === null) return "empty";
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return `the truth value ${value}`;
  if (typeof value === "bigint" || typeof value === "number") return `the number ${value}`;
  return value.kind === "foreign" ? value.what : `a ${value.kind === "list" ? "list" : "mapping"}`;
}
