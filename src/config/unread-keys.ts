import { parseItemText } from "./item-text.ts";
import { findKey } from "./keys/table.ts";
import type { OutlineText } from "./outline.ts";

/** A key that stands where none is read; `message` says what to do. */
export interface UnreadKey {
  readonly line: number;
  readonly label: string;
  readonly message: string;
}

/** Keys that stand under the heading without a bullet, or in a table, are not read; that is worth saying. */
export function listUnreadKeys(paragraph: OutlineText): UnreadKey[] {
  const lines = paragraph.text.split("\n");
  const isTable = lines.some((line) => /^[|:\s-]*-[|:\s-]*$/.test(line) && line.includes("|"));
  return lines.flatMap((text, index) => {
    const found = isTable ? findInRow(text) : findInLine(text);
    if (found === undefined) return [];
    const message = `${found.label} is not read: it is not a list item; ${found.advice}`;
    return [{ line: paragraph.line + index, label: found.label, message }];
  });
}

function findInLine(line: string): { label: string; advice: string } | undefined {
  const item = parseItemText(line.replace(/^[•·–—]\s*/, ""));
  if (item.key === null || item.after === "" || findKey(item.key) === undefined) return undefined;
  return { label: item.key, advice: 'put "- " before it' };
}

/** Keys stand in a table's first column, or in its first row. */
function findInRow(row: string): { label: string; advice: string } | undefined {
  const keys = row.split("|").map((cell) => parseItemText(`${cell.trim().replace(/[:：]$/, "")}: `).key);
  const label = keys.find((key) => key !== null && findKey(key) !== undefined);
  return label ? { label, advice: `write "- ${label}: …" instead of a row of a table` } : undefined;
}
