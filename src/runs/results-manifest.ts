import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../base/error.ts";
import {
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isOrAbsent,
  isOrNull,
  isShape,
  isText,
  isTextList,
  parseJson,
} from "../base/shape.ts";
import type { VerifiedCopy } from "./copy-verified.ts";

/** A result that was brought home. */
export interface CollectedResult extends VerifiedCopy {
  readonly path: string;
  /** The path in base64, where its bytes are not UTF-8. */
  readonly pathBytes?: string;
  /** Where it lies below `into`: the same as `path`, unless that is absolute or its place was taken. */
  readonly storedAs: string;
  /** The same in base64, where its bytes are not UTF-8. */
  readonly storedAsBytes?: string;
}

/** `results.json`, which lies in every folder of results and is there only when all of it is. */
export interface Manifest {
  readonly schema: 1;
  readonly run: string | null;
  readonly folder: string;
  readonly results: readonly CollectedResult[];
  readonly also: readonly (VerifiedCopy & { readonly name: string })[];
  /** Files that were gone when they were to be copied. */
  readonly missing: readonly string[];
}

export const MANIFEST = "results.json";

const copyChecks = { bytes: isNumber, sha256: isText, changing: isFlag };
const isManifest = isShape<Manifest>({
  schema: isOneOf(1),
  run: isOrNull(isText),
  folder: isText,
  results: isListOf(
    isShape<CollectedResult>({
      ...copyChecks,
      path: isText,
      pathBytes: isOrAbsent(isText),
      storedAs: isText,
      storedAsBytes: isOrAbsent(isText),
    }),
  ),
  also: isListOf(isShape<Manifest["also"][number]>({ ...copyChecks, name: isText })),
  missing: isTextList,
});

/** What was brought to that place before; null where nothing is. @throws results_place_taken */
export function findEarlier(into: string, run: string | undefined): Manifest | null {
  const stats = statSync(into, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const manifest = stats.isDirectory() ? loadManifest(into) : null;
  if (manifest !== null && (run === undefined || manifest.run === run)) return manifest;
  if (stats.isDirectory() && readdirSync(into).length === 0) return null;
  throw new SortieError("results_place_taken", { path: into });
}

function loadManifest(into: string): Manifest | null {
  try {
    return parseJson(readFileSync(join(into, MANIFEST), "utf8"), isManifest);
  } catch {
    return null; // there is none
  }
}

export function writeManifest(folder: string, manifest: Manifest) {
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
}
