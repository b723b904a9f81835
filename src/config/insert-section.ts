import { SortieError } from "../base/error.ts";
import { parseOutline } from "./outline.ts";
import { findTargetSections } from "./target-sections.ts";

/**
 * Adds a section at the end of a file's text, every other byte left as it is; the file's own line ends are used.
 * Throws `section_unplaceable` where the end of the file is inside something that hides it (a fence or a comment).
 */
export function insertSection(text: string, section: string, file: string): string {
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const result = `${text}${makeGap(text, newline)}${section.replaceAll("\n", newline)}`;
  const added = findTargetSections(parseOutline(result).sections).length - countTargets(text);
  if (added === countTargets(section)) return result;
  const reason = "its end lies inside a code fence or a comment that is not closed";
  throw new SortieError("section_unplaceable", { file, reason });
}

function makeGap(text: string, newline: string): string {
  if (text === "" || text === "\uFEFF" || /(?:\r?\n){2}$/.test(text)) return "";
  return text.endsWith("\n") ? newline : newline + newline;
}

function countTargets(text: string): number {
  return findTargetSections(parseOutline(text).sections).length;
}
