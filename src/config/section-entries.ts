import { parseItemText } from "./item-text.ts";
import { findKey, findKeyRow, type KeyName } from "./keys/table.ts";
import type { OutlineItem } from "./outline.ts";
import { parseValueText, type ValueText } from "./value-text.ts";

/** One `key: value` of a section; `name` is null for a key that is not known. */
export interface KeyEntry {
  readonly line: number;
  readonly label: string;
  readonly name: KeyName | null;
  readonly written: ValueText;
  /** Characters of the whole item; one that reaches `longestText` was cut. */
  readonly length: number;
}

export interface NoteEntry {
  readonly line: number;
  readonly label: null;
  readonly note: string;
}

export type SectionEntry = KeyEntry | NoteEntry;

/** The keys and notes of a section in their order. Nested items count like others, or are the values of a list key. */
export function listEntries(items: readonly OutlineItem[]): SectionEntry[] {
  return items.flatMap((item) => {
    if (item.text === "") return listEntries(item.children);
    const { line } = item;
    const parsed = parseItemText(item.text);
    if (parsed.key === null)
      return [{ line, label: null, note: parsed.note.replaceAll("\n", " ") }, ...listEntries(item.children)];
    const name = findKey(parsed.key) ?? null;
    const entry = { line, label: parsed.key, name, length: item.text.length };
    const hasChildren = parsed.after === "" && item.children.length > 0;
    if (hasChildren && name !== null && findKeyRow(name).type === "list") {
      return [{ ...entry, written: readChildren(item.children) }];
    }
    // A key without value over other items is a group: `- Connection:` with the real keys below it.
    if (hasChildren) return listEntries(item.children);
    const text = name === "gpu" ? parsed.after.replaceAll("\n", " ") : parsed.after;
    return [{ ...entry, written: parseValueText(text) }, ...listEntries(item.children)];
  });
}

function readChildren(children: readonly OutlineItem[]): ValueText {
  const words = children.map((child) => parseValueText(child.text).text).filter((word) => word !== "");
  return { text: words.join(", "), words, note: null, listNote: null };
}
