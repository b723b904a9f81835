import { findNearest } from "../../base/nearest.ts";
import type { KeyRow, TargetKind } from "./define.ts";
import { environmentKeys } from "./environment-keys.ts";
import { placeKeys } from "./place-keys.ts";
import { runKeys } from "./run-keys.ts";
import { vendorKeys } from "./vendor-keys.ts";

/** Every key that Sortie reads. Readers, warnings and the documents are made from it. */
export const keyTable = { ...placeKeys, ...environmentKeys, ...runKeys, ...vendorKeys };

export type KeyName = keyof typeof keyTable;

export const keyNames = Object.keys(keyTable) as KeyName[];

/** A key as it is compared: `Code dir`, `code-dir` and `CODE_DIR` are one. */
export function normalizeKey(written: string): string {
  return written
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "_");
}

/** The canonical name of a key in any known spelling; undefined if there is none. */
export function findKey(written: string): KeyName | undefined {
  return spellings.get(normalizeKey(written));
}

export function findKeyRow(name: KeyName): KeyRow {
  return keyTable[name];
}

/** Whether a key means something to a target of this kind. */
export function isKeyOfKind(name: KeyName, kind: TargetKind): boolean {
  return findKeyRow(name).kinds?.includes(kind) ?? true;
}

/** The known key that an unknown one was probably meant to be: one that fits, or one of the same letters. */
export function findNearestKey(written: string, fits: (name: KeyName) => boolean): string | undefined {
  const letters = dropUnderscores(written);
  const same = [...spellings.keys()].find((spelling) => dropUnderscores(spelling) === letters);
  if (same !== undefined) return same;
  const candidates = [...spellings].filter(([, name]) => fits(name)).map(([spelling]) => spelling);
  // Two edits at most, and less than half of the word: more turn any short word into any other.
  const limit = Math.min(2, Math.ceil(letters.length / 2) - 1);
  const nearest = findNearest(letters, candidates.map(dropUnderscores), limit);
  return candidates.find((candidate) => dropUnderscores(candidate) === nearest);
}

/** `autodestroy` is as near to `auto_destroy` as can be. */
function dropUnderscores(written: string): string {
  return normalizeKey(written).replaceAll("_", "");
}

/** The table for the documents, as Markdown. */
export function formatKeyTable(): string {
  const rows = keyNames.map((name) => {
    const row = findKeyRow(name);
    const also = row.spellings?.map((spelling) => `\`${spelling}\``).join(", ") ?? "";
    const kinds = describeKinds(row);
    return `| \`${name}\` | ${also} | ${kinds} | ${row.about} |`;
  });
  return ["| key | also written | kinds | meaning |", "| --- | --- | --- | --- |", ...rows, ""].join("\n");
}

function describeKinds({ kinds, setting, personal }: KeyRow): string {
  if (personal) return "`config.yaml`";
  return setting && kinds?.length === 0 ? "`## Sortie`" : (kinds?.join(", ") ?? "all");
}

const spellings: ReadonlyMap<string, KeyName> = new Map(
  keyNames.flatMap((name) =>
    [name, ...(findKeyRow(name).spellings ?? [])].map((spelling) => [spelling, name] as const),
  ),
);
