import type { ConfigIssue } from "./issue.ts";
import { findKeyRow, type KeyName, keyNames } from "./keys/table.ts";
import { type Outline, parseOutline } from "./outline.ts";
import { listEntries } from "./section-entries.ts";
import {
  type ConfigSecret,
  type IssueText,
  readSectionValues,
  type SectionValues,
} from "./section-values.ts";
import type { KeyValue, Target } from "./target.ts";
import { makeTarget } from "./target-from-section.ts";
import { makeTargetNames } from "./target-name.ts";
import { findTargetSections, isSettingsHeading, type TargetSection } from "./target-sections.ts";

/** What one AGENTS.md or CLAUDE.md says. */
export interface ProjectText {
  readonly targets: readonly Target[];
  /** Whether there is a section `## Sortie`. */
  readonly hasSettings: boolean;
  /** What holds for the whole file: the section `## Sortie`, and file-wide keys that one section alone sets. */
  readonly defaults: ReadonlyMap<KeyName, KeyValue>;
  readonly secrets: readonly ConfigSecret[];
  readonly warnings: readonly ConfigIssue[];
  readonly errors: readonly ConfigIssue[];
}

/** Reads a file's text; `file` is its absolute path, `shown` the path as issues name it. */
export function parseProject(text: string, file: string, shown: string): ProjectText {
  const outline = parseOutline(text);
  const sections = findTargetSections(outline.sections);
  const settingsSections = outline.sections.filter((section) => isSettingsHeading(section.heading));
  const settings = readSectionValues(
    listEntries(settingsSections.flatMap((section) => section.items)),
    settingsSections.flatMap((section) => section.paragraphs),
    "settings",
  );
  const read = sections.map((section) =>
    readSectionValues(section.entries, section.paragraphs, section.kind),
  );
  const defaults = findDefaults(settings, read);
  const parts = makeTargets(sections, read, defaults, file);
  const place = (target: string | null) => (issue: IssueText) => ({ file: shown, target, ...issue });
  const all = [
    { name: null, ...settings },
    ...parts.map((part, index) => ({ ...(read[index] as SectionValues), ...part })),
  ];
  const issues = { warnings: [] as ConfigIssue[], errors: [] as ConfigIssue[] };
  for (const part of all) {
    issues.warnings.push(...part.warnings.map(place(part.name)));
    issues.errors.push(...part.errors.map(place(part.name)));
  }
  issues.errors.push(...findLeftOut(outline, parts, shown));
  if (sections.length === 0) issues.warnings.push(...findFenced(outline.code, shown));
  return {
    targets: parts.map((part) => part.target),
    hasSettings: settingsSections.length > 0,
    defaults,
    secrets: all.flatMap((part) => part.secrets.map((secret) => ({ ...secret, file }))),
    warnings: issues.warnings.sort(compareLines),
    errors: issues.errors.sort(compareLines),
  };
}

function makeTargets(
  sections: readonly TargetSection[],
  read: readonly SectionValues[],
  defaults: ReadonlyMap<KeyName, KeyValue>,
  file: string,
): { name: string; target: Target; errors: IssueText[] }[] {
  const names = makeTargetNames(sections);
  return sections.map((section, index) => {
    const values = read[index] as SectionValues;
    const name = names[index] as string;
    // What became a default of the file is shown there and not once more in the section that set it.
    const leaveOut = new Set(
      [...defaults].filter(([key, value]) => values.values.get(key) === value).map(([key]) => key),
    );
    const made = makeTarget(section, values, { name, file, leaveOut });
    return { name, target: made.target, errors: [...values.errors, ...made.errors] };
  });
}

/** In the order of the key table. */
function findDefaults(settings: SectionValues, read: readonly SectionValues[]): Map<KeyName, KeyValue> {
  const defaults = new Map<KeyName, KeyValue>();
  for (const name of keyNames) {
    const holders = findKeyRow(name).fileWide ? read.filter((one) => one.values.has(name)) : [];
    const own =
      settings.values.get(name) ?? (holders.length === 1 ? holders[0]?.values.get(name) : undefined);
    if (own !== undefined) defaults.set(name, own);
  }
  return defaults;
}

/** Targets of which a part was left out, because it is nested too deep or has too many items. */
function findLeftOut(outline: Outline, parts: readonly { target: Target }[], file: string): ConfigIssue[] {
  if (outline.leftOut.length === 0) return [];
  return parts.flatMap(({ target }) => {
    const [first, last] = target.lines;
    const next = outline.sections.find((section) => section.line > last)?.line ?? Number.POSITIVE_INFINITY;
    const line = outline.leftOut.find((one) => one > first && one < next);
    if (line === undefined) return [];
    const message = "this item and others after it are not read: they are too many, or nested too deep";
    return [{ file, line, target: target.name, key: null, message, nearest: null }];
  });
}

/** Targets that a code fence hides, where the file has no other. */
function findFenced(code: readonly { line: number; text: string }[], shown: string): ConfigIssue[] {
  return code
    .filter((block) => findTargetSections(parseOutline(block.text).sections).length > 0)
    .map((block) => ({
      file: shown,
      line: block.line,
      target: null,
      key: null,
      message: "a target section stands in a code block, where it is not read; take it out of the block",
      nearest: null,
    }));
}

function compareLines(a: ConfigIssue, b: ConfigIssue): number {
  return (a.line ?? 0) - (b.line ?? 0);
}
