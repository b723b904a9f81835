import { formatPythonFloat } from "./python-float.ts";
import type { Refuse } from "./refusal.ts";
import type { YamlEntry, YamlKey, YamlList, YamlMap, YamlValue } from "./yaml/value.ts";

/** Aliases of aliases can make a small text as large as one likes. */
const MAX_CHARS = 4 * 1024 * 1024;
/** By aliases, deeper than brackets may stand in each other: Python gives up there as well, or somewhat later. */
const MAX_DEPTH = 1000;

/**
 * The value as `json.dumps(value, sort_keys=True, separators=(",", ":"))` writes it: ASCII alone, keys sorted as Python
 * compares them before they become text, whole numbers exact, floats as Python prints them.
 * @throws spec_bad where Python raises an error
 */
export function formatPythonJson(value: YamlValue, refuse: Refuse): string {
  const parts: string[] = [];
  let chars = 0;
  const write = (text: string, line: number): void => {
    parts.push(text);
    chars += text.length;
    if (chars > MAX_CHARS)
      throw refuse(line, `it is longer than ${MAX_CHARS} characters with all its aliases`);
  };
  writeValue(value, { refuse, write, open: new Set() });
  return parts.join("");
}

interface Writer {
  readonly refuse: Refuse;
  readonly write: (text: string, line: number) => void;
  /** The collections that hold what is being written. */
  readonly open: Set<YamlValue>;
}

function writeValue(value: YamlValue, writer: Writer, line = 1): void {
  if (typeof value !== "object" || value === null) writer.write(formatScalar(value), line);
  else if (value.kind === "foreign")
    throw writer.refuse(value.line, `${value.what} is no value of JSON`, adviseForeign(value.what));
  else writeCollection(value, writer);
}

function writeCollection(value: YamlList | YamlMap, writer: Writer): void {
  if (writer.open.has(value)) throw writer.refuse(value.line, "it holds itself by an alias");
  if (writer.open.size >= MAX_DEPTH)
    throw writer.refuse(value.line, `it is nested more than ${MAX_DEPTH} deep with all its aliases`);
  writer.open.add(value);
  if (value.kind === "list") writeList(value, writer);
  else writeMap(value, writer);
  writer.open.delete(value);
}

function adviseForeign(what: string): string {
  return what === "a date" ? "Put it in quotes, so that it is a text." : "Write it as a text or a list.";
}

function writeList(list: YamlList, writer: Writer): void {
  writer.write("[", list.line);
  for (const [index, item] of list.items.entries()) {
    if (index > 0) writer.write(",", item.line);
    writeValue(item.value, writer, item.line);
  }
  writer.write("]", list.line);
}

function writeMap(map: YamlMap, writer: Writer): void {
  writer.write("{", map.line);
  for (const [index, entry] of sortEntries(map, writer.refuse).entries()) {
    if (index > 0) writer.write(",", entry.line);
    writer.write(`${formatKey(entry, writer.refuse)}:`, entry.keyLine);
    writeValue(entry.value, writer, entry.line);
  }
  writer.write("}", map.line);
}

/**
 * Python compares texts with texts and numbers with numbers (false is 0); nothing else, and None not even with None. NaN is
 * refused among others, where Python takes it: it compares with nothing, and the order would be that of one sort or another.
 */
function sortEntries(map: YamlMap, refuse: Refuse): readonly YamlEntry[] {
  const entries = [...map.entries.values()];
  const [first] = entries;
  if (entries.length < 2 || !first) return entries;
  for (const entry of entries) {
    if (!isComparable(entry.key))
      throw refuse(entry.keyLine, `${describeKey(entry.key)} cannot be sorted among other keys`);
    if ((typeof entry.key === "string") !== (typeof first.key === "string"))
      throw refuse(
        entry.keyLine,
        `this key is ${describeKey(entry.key)}, the one on line ${first.keyLine} ${describeKey(first.key)}`,
        "Put all keys of a mapping in quotes, or none.",
      );
  }
  return entries.sort((a, b) => compareKeys(a.key, b.key));
}

function isComparable(key: YamlKey): boolean {
  return key !== null && typeof key !== "object" && !Number.isNaN(key);
}

function describeKey(key: YamlKey): string {
  if (key === null) return "nothing (null)";
  if (typeof key === "string") return "a text";
  if (typeof key === "boolean") return "true or false";
  if (Number.isNaN(key)) return "not a number (.nan)";
  return typeof key === "object" ? key.what : "a number";
}

function compareKeys(a: YamlKey, b: YamlKey): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  const [first, second] = [toNumber(a), toNumber(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Whole numbers and floats compare exactly in both languages. */
function toNumber(key: YamlKey): number | bigint {
  return typeof key === "bigint" || typeof key === "number" ? key : Number(key);
}

/** JavaScript compares halves of characters, which puts U+FFFF behind the emoji. */
function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at > 0 && /[\ud800-\udbff]/.test(a[at - 1] ?? "")) at -= 1;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** Sorted first, a key becomes text as Python makes it. */
function formatKey(entry: YamlEntry, refuse: Refuse): string {
  const { key } = entry;
  if (typeof key === "object" && key !== null)
    throw refuse(entry.keyLine, `${key.what} cannot be a key`, "Put it in quotes, so that it is a text.");
  return typeof key === "string" ? formatText(key) : `"${formatScalar(key)}"`;
}

function formatScalar(value: null | boolean | bigint | number | string): string {
  if (typeof value === "string") return formatText(value);
  return typeof value === "number" ? formatPythonFloat(value) : String(value);
}

function formatText(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
