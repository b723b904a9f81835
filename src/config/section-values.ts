import { parseGpuText } from "./gpu-kind.ts";
import type { ConfigIssue } from "./issue.ts";
import type { TargetKind } from "./keys/define.ts";
import { findKeyRow, findNearestKey, isKeyOfKind, type KeyName } from "./keys/table.ts";
import { longestText, type OutlineText } from "./outline.ts";
import type { KeyEntry, SectionEntry } from "./section-entries.ts";
import type { KeyValue, TargetNote } from "./target.ts";
import { listUnreadKeys } from "./unread-keys.ts";
import { readValue } from "./value-readers.ts";

/** A secret that stands in a file; its value is given out on request only, never with the rest. */
export interface ConfigSecret {
  readonly name: KeyName;
  readonly file: string;
  readonly line: number;
  reveal(): string;
}

export type IssueText = Omit<ConfigIssue, "file" | "target">;

/** The keys of one section, read by their types. */
export interface SectionValues {
  readonly values: ReadonlyMap<KeyName, KeyValue>;
  readonly notes: readonly TargetNote[];
  /** What `gpu:` says beside the kind. */
  readonly gpuNotes: readonly string[];
  readonly secrets: readonly Omit<ConfigSecret, "file">[];
  readonly warnings: readonly IssueText[];
  readonly errors: readonly IssueText[];
}

/** `kind` is the target's, or `settings` for the section `## Sortie`. */
export function readSectionValues(
  entries: readonly SectionEntry[],
  paragraphs: readonly OutlineText[],
  kind: TargetKind | "settings",
): SectionValues {
  const draft = {
    values: new Map(),
    notes: [],
    gpuNotes: [],
    secrets: [],
    warnings: [],
    errors: [],
  } as Draft;
  for (const entry of entries) {
    if (entry.label === null) draft.notes.push({ text: entry.note, line: entry.line });
    else if (entry.name === null) draft.warnings.push(warnOfUnknown(entry, kind));
    else readEntry(entry, entry.name, kind, draft);
  }
  for (const unread of paragraphs.flatMap(listUnreadKeys))
    draft.warnings.push(makeIssue(unread, unread.message));
  draft.warnings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return draft;
}

interface Draft extends SectionValues {
  readonly values: Map<KeyName, KeyValue>;
  readonly notes: TargetNote[];
  readonly gpuNotes: string[];
  readonly secrets: Omit<ConfigSecret, "file">[];
  readonly warnings: IssueText[];
  readonly errors: IssueText[];
}

function readEntry(entry: KeyEntry, name: KeyName, kind: TargetKind | "settings", draft: Draft): void {
  const row = findKeyRow(name);
  const { written, line, label } = entry;
  const { text } = written;
  if (!isAtHome(name, kind)) {
    draft.warnings.push(makeIssue(entry, describeHome(name, label, kind)));
  } else if (text === "" && written.words.length === 0) {
    draft.warnings.push(makeIssue(entry, `${label} has no value and is left out`));
  } else if (entry.length >= longestText) {
    draft.errors.push(makeIssue(entry, `${label} is longer than ${longestText} characters`));
  } else if (row.secret) {
    draft.secrets.push({ name, line, reveal: () => text });
    const advice =
      "a key in this file reaches everyone who sees it; use `wandb login` or WANDB_API_KEY instead";
    draft.warnings.push(makeIssue(entry, `${label} works, but ${advice}`));
  } else if (name === "gpu") {
    readGpu(entry, draft);
  } else if (!isNoConda(name, text)) {
    const read = readValue(row, written);
    if ("value" in read) addValue(entry, name, read.value, draft);
    else draft.errors.push(makeIssue(entry, `${label} ${read.problem}`, read.nearest));
    const note = row.type === "list" ? written.listNote : written.note;
    if (note !== null && !row.type.startsWith("conda") && row.type !== "activation")
      draft.notes.push({ text: note, line });
  }
}

function isAtHome(name: KeyName, kind: TargetKind | "settings"): boolean {
  const { setting, personal } = findKeyRow(name);
  return kind === "settings" ? setting === true && !personal : isKeyOfKind(name, kind);
}

function describeHome(name: KeyName, label: string, kind: TargetKind | "settings"): string {
  if (findKeyRow(name).personal) {
    return `${label} is your own affair, which a project cannot set, and is left out: it belongs in config.yaml in Sortie's home folder`;
  }
  if (kind === "settings") return `${label} belongs in a target's section and is left out here`;
  const kinds = findKeyRow(name).kinds ?? [];
  if (kinds.length === 0) return `${label} belongs in a section "Sortie" and is left out here`;
  return `${label} means something to ${kinds.join(", ")} only and is left out: this target is ${kind}`;
}

/** `gpu` may stand twice, as the kind and as a note. */
function readGpu(entry: KeyEntry, draft: Draft): void {
  const { label, written } = entry;
  const said = parseGpuText(written.text);
  if ("misspelt" in said) {
    draft.errors.push(makeIssue(entry, `${label} names no kind of target: "${said.misspelt}"`, said.nearest));
  } else if ("kind" in said) {
    addValue(entry, "gpu", said.kind, draft);
  } else {
    draft.gpuNotes.push(written.note === null ? said.note : `${said.note} ${written.note}`);
  }
}

function addValue(entry: KeyEntry, name: KeyName, value: unknown, draft: Draft): void {
  const earlier = draft.values.get(name);
  const { line, label } = entry;
  if (earlier === undefined) draft.values.set(name, { value, line, label, text: entry.written.text });
  else if (JSON.stringify(earlier.value) !== JSON.stringify(value)) {
    draft.errors.push(makeIssue(entry, `${label} is given twice, differently: see line ${earlier.line}`));
  }
}

function isNoConda(name: KeyName, text: string): boolean {
  return name.startsWith("conda") && /^(?:none|no|false|-)$/i.test(text);
}

function warnOfUnknown(entry: KeyEntry, kind: TargetKind | "settings"): IssueText {
  const nearest = findNearestKey(entry.label, (name) => isAtHome(name, kind));
  return makeIssue(entry, `${entry.label} is not a key that Sortie knows`, nearest);
}

function makeIssue(at: { line: number; label: string }, message: string, nearest?: string): IssueText {
  return { line: at.line, key: at.label, message, nearest: nearest ?? null };
}
