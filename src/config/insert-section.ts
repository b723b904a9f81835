import { basename } from "node:path";
import { SortieError } from "../base/error.ts";
import { parseOutline } from "./outline.ts";
import { parseProject } from "./parse-project.ts";
import { makeKebab } from "./target-name.ts";
import { findTargetSections } from "./target-sections.ts";

/**
 * Adds a section at the end of a file's text, every other byte left as it is; the file's own line ends are used.
 * Throws `section_unplaceable` where the end of the file is inside something that hides it (a fence or a comment), and
 * `value_bad` where the file has a target of that name: a second one would make the name, or its kind, mean two.
 */
export function insertSection(text: string, section: string, file: string): string {
  refuseTakenName(text, section, file);
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const result = `${text}${makeGap(text, newline)}${section.replaceAll("\n", newline)}`;
  const added = findTargetSections(parseOutline(result).sections).length - countTargets(text);
  if (added === countTargets(section)) return result;
  const reason = "its end lies inside a code fence or a comment that is not closed";
  throw new SortieError("section_unplaceable", { file, reason });
}

function refuseTakenName(text: string, section: string, file: string): void {
  const [added] = parseProject(section, file, file).targets;
  if (added === undefined) return;
  const same = parseProject(text, file, file).targets.find(
    (target) => target.name === added.name || makeKebab(target.heading) === makeKebab(added.heading),
  );
  if (same === undefined) return;
  const [first, last] = same.lines;
  throw new SortieError("value_bad", {
    what: "The heading of a new section",
    value: JSON.stringify(added.heading),
    reason: `${basename(file)} has the target ${same.name} in lines ${first} to ${last}`,
    advice: "Change that section, or give the new one another name with --heading.",
  });
}

function makeGap(text: string, newline: string): string {
  if (text === "" || text === "\uFEFF" || /(?:\r?\n){2}$/.test(text)) return "";
  return text.endsWith("\n") ? newline : newline + newline;
}

function countTargets(text: string): number {
  return findTargetSections(parseOutline(text).sections).length;
}
