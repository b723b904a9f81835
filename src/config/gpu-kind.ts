import { findNearest } from "../base/nearest.ts";
import type { TargetKind } from "./keys/define.ts";

/** What the text after `gpu:` says: a kind, a note about the GPUs, or a kind misspelt. */
export type GpuText =
  | { readonly kind: TargetKind }
  | { readonly note: string }
  | { readonly misspelt: string; readonly nearest: string };

const KINDS: ReadonlyMap<string, TargetKind> = new Map([
  ["local", "local"],
  ["remote", "ssh"],
  ["ssh", "ssh"],
  ["vast", "vast"],
  ["vast.ai", "vast"],
  ["modal", "modal"],
  ["slurm", "slurm"],
]);

/** The kinds as they are written in a file. */
const WRITTEN = ["local", "remote", "ssh", "vast", "modal", "slurm"];

/** The kind that a word names, `remote` being `ssh`; undefined for any other text. */
export function findKind(word: string): TargetKind | undefined {
  return KINDS.get(word.trim().toLowerCase());
}

export function parseGpuText(text: string): GpuText {
  const kind = findKind(text);
  if (kind) return { kind };
  // "Metal" is Apple's GPU and two letters from "modal".
  const isWord = /^[a-z]+$/i.test(text) && text.toLowerCase() !== "metal";
  const nearest = isWord ? findNearest(text, WRITTEN, 2) : undefined;
  return nearest ? { misspelt: text, nearest } : { note: text };
}
