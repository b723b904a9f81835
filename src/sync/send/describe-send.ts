import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { makePrintable } from "../../base/printable.ts";
import { chooseLargest } from "./choose-largest.ts";
import { formatCount } from "./format-count.ts";
import type { SendPlan } from "./plan-send.ts";
import { describeSendReason } from "./send-rules.ts";
import type { LeftOut, LeftOutGroup, LeftOutSum } from "./sum-left-out.ts";

const SHOWN_GROUPS = 6;
const SHOWN_NOTES = 2;
const LISTED = 200;
const NAMED = 5;

const ORIGINS = { git: "what git tracks or does not ignore", folder: "it is not in git" };

/** What a plan keeps of all that it sends. */
export interface SendSummary
  extends Pick<SendPlan, "source" | "origin" | "hash" | "bytes" | "leftOut" | "notes"> {
  readonly files: number;
  /** The largest, the largest first; 200 at most. */
  readonly listed: readonly { readonly path: string; readonly bytes: number }[];
}

export function summarizeSend({ source, origin, hash, files, bytes, leftOut, notes }: SendPlan): SendSummary {
  const listed = chooseLargest(files, LISTED).map((file) => ({
    path: file.path.toString(),
    bytes: file.bytes,
  }));
  return { source, origin, hash, files: files.length, bytes, listed, leftOut, notes };
}

/**
 * Where it comes from and what is left out, for people: twelve lines at most, whatever the number of files. How much is
 * sent stands where the sending itself is told.
 */
export function describeSend(summary: SendSummary): string[] {
  const { source, origin, listed, leftOut, notes } = summary;
  const largest = listed.slice(0, NAMED).map((file) => `${file.path} ${formatBytes(file.bytes)}`);
  return [
    `from ${source}: ${ORIGINS[origin]}`,
    ...(largest.length > 1 ? [`largest: ${largest.join(", ")}`] : []),
    ...describeLeftOut(leftOut),
    ...describeNotes(notes),
  ].map(makeLine);
}

function describeLeftOut(leftOut: LeftOutSum): string[] {
  const { groups, files, bytes, exact } = leftOut;
  if (groups.length === 0) return [];
  const shown = groups.slice(0, groups.length > SHOWN_GROUPS ? SHOWN_GROUPS - 1 : SHOWN_GROUPS);
  const rest = { files: files - sum(shown, "files"), bytes: bytes - sum(shown, "bytes"), exact };
  return [
    `left out: ${formatAmount(leftOut)}`,
    ...shown.map((group) => `  ${describeGroup(group)}`),
    ...(groups.length > shown.length ? [`  and more: ${formatAmount(rest)}`] : []),
  ];
}

function describeGroup(group: LeftOutGroup): string {
  const { entries, folder, path, bytes, reason } = group;
  const why = describeSendReason(reason);
  if (entries === 1 && !path.endsWith("/")) return `${path}: ${formatBytes(bytes)} (${why})`;
  const place = folder === "" ? "at the top" : `in ${folder}`;
  return `${entries === 1 ? path : place}: ${formatAmount(group)} (${why})`;
}

function describeNotes(notes: readonly string[]): string[] {
  const more = notes.length - SHOWN_NOTES;
  const shown = notes.slice(0, more > 0 ? SHOWN_NOTES - 1 : SHOWN_NOTES);
  return [...shown, ...(more > 0 ? [`and ${countOf(notes.length - shown.length, "note")} more`] : [])];
}

function formatFiles(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "file" : "files"}`;
}

function formatAmount({ files, bytes, exact }: Pick<LeftOut, "files" | "bytes" | "exact">): string {
  return `${exact ? "" : "at least "}${formatFiles(files)}, ${formatBytes(bytes)}`;
}

function sum(entries: readonly LeftOut[], key: "files" | "bytes"): number {
  return entries.reduce((total, entry) => total + entry[key], 0);
}

/** A file's name may hold anything, but a line is one line. */
function makeLine(text: string): string {
  return makePrintable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
