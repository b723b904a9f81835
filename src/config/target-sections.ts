import { findKind, parseGpuText } from "./gpu-kind.ts";
import type { TargetKind } from "./keys/define.ts";
import { normalizeKey } from "./keys/table.ts";
import type { OutlineSection, OutlineText } from "./outline.ts";
import { type KeyEntry, listEntries, type SectionEntry } from "./section-entries.ts";
import { makeKebab } from "./target-name.ts";

/** A section that says where work runs. */
export interface TargetSection {
  readonly heading: string;
  readonly kind: TargetKind;
  readonly lines: readonly [number, number];
  readonly entries: readonly SectionEntry[];
  readonly paragraphs: readonly OutlineText[];
}

/** Headings that make a section a target, whatever it holds, also with words after them: `Slurm (at the lab)`. */
const NAMED: ReadonlyMap<string, TargetKind> = new Map([
  ["remote-server", "ssh"],
  ["remote-gpu", "ssh"],
  ["gpu-server", "ssh"],
  ["vast-ai", "vast"],
  ["modal", "modal"],
  ["slurm", "slurm"],
  ["local-environment", "local"],
]);

/** Keys that make any section a target, beside `gpu:` with a kind or a kind misspelt. */
const TELLING = ["ssh", "ssh_alias", "vast_instance", "modal_app"];

interface Candidate {
  readonly section: OutlineSection;
  readonly entries: readonly SectionEntry[];
  readonly named: TargetKind | undefined;
  readonly isTelling: boolean;
}

/** The target sections of a file. All other sections are left alone. */
export function findTargetSections(sections: readonly OutlineSection[]): TargetSection[] {
  const candidates = sections.filter((section) => !isSettingsHeading(section.heading)).map(makeCandidate);
  const found: TargetSection[] = [];
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index] as Candidate;
    if (candidate.named === undefined && !candidate.isTelling) continue;
    const below = candidate.entries.length === 0 ? listBelow(candidates, index) : [];
    if (below.filter((one) => one.isTelling || one.named).length > 1 || below.some((one) => one.named))
      continue;
    const taken = below.some(holdsKnownKey) ? below : [];
    found.push(joinSections(candidate, taken));
    index += taken.length;
  }
  return found;
}

/** The section that holds settings for the whole file. */
export function isSettingsHeading(heading: string): boolean {
  return makeKebab(heading) === "sortie";
}

function makeCandidate(section: OutlineSection): Candidate {
  const entries = listEntries(section.items);
  return {
    section,
    entries,
    named: findNamedKind(section.heading),
    isTelling: entries.some((entry) => entry.label !== null && isTelling(entry)),
  };
}

/** Words in parentheses, after a colon or after a dash are an addition; others make it a heading of its own. */
function findNamedKind(heading: string): TargetKind | undefined {
  const [known = ""] = heading.split(/\s*[(（:：–—]|\s-+\s/, 1);
  return NAMED.get(makeKebab(heading)) ?? NAMED.get(makeKebab(known));
}

function isTelling(entry: KeyEntry): boolean {
  const key = normalizeKey(entry.label);
  return key === "gpu" ? !("note" in parseGpuText(entry.written.text)) : TELLING.includes(key);
}

/** The sections of deeper headings under a heading that has no items of its own. */
function listBelow(candidates: readonly Candidate[], index: number): Candidate[] {
  const depth = (candidates[index] as Candidate).section.depth;
  const after = candidates.slice(index + 1);
  const end = after.findIndex((one) => one.section.depth <= depth);
  return end === -1 ? after : after.slice(0, end);
}

function holdsKnownKey(candidate: Candidate): boolean {
  return candidate.entries.some((entry) => entry.label !== null && entry.name !== null);
}

function joinSections(candidate: Candidate, below: readonly Candidate[]): TargetSection {
  const all = [candidate, ...below];
  const entries = all.flatMap((one) => one.entries);
  const { heading, line } = candidate.section;
  return {
    heading: heading.replace(/\s*[:：]$/, ""),
    kind: findKindOf(entries, all),
    lines: [line, (all.at(-1) as Candidate).section.endLine],
    entries,
    paragraphs: all.flatMap((one) => one.section.paragraphs),
  };
}

/** What the section says of itself first, then what only one kind can hold, then the heading. */
function findKindOf(entries: readonly SectionEntry[], all: readonly Candidate[]): TargetKind {
  const keys = entries.filter((entry) => entry.label !== null);
  const said = keys.filter((entry) => entry.name === "gpu").map((entry) => parseGpuText(entry.written.text));
  for (const gpu of said) if ("kind" in gpu) return gpu.kind;
  if (keys.some((entry) => entry.name === "vast_instance")) return "vast";
  if (keys.some((entry) => entry.name === "modal_app")) return "modal";
  if (all[0]?.named) return all[0].named;
  // An error stops what would run there; its other keys are read as those of the kind that is meant.
  for (const gpu of said) if ("misspelt" in gpu) return findKind(gpu.nearest) ?? "ssh";
  return "ssh";
}
