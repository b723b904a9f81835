import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { SortieError } from "../../base/error.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { draftSpec } from "../../env/draft/draft-spec.ts";
import { listSpecs, placeNewSpec } from "./find-spec.ts";

/** A specification that is about to be written. */
export interface EnvironmentDraft {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** What it was made from. */
  readonly from: readonly string[];
  readonly warnings: readonly string[];
}

/** Drafts the specification of a project; writes nothing. @throws spec_there, draft_unreadable */
export function draftEnvironment(projectFolder: string, name: string | null): EnvironmentDraft {
  const place = placeNewSpec(projectFolder, name);
  const there = listSpecs(projectFolder).find((spec) => spec.name === place.name);
  if (there) throw new SortieError("spec_there", { name: place.name, file: there.path });
  const { text, files, warnings } = draftSpec(projectFolder);
  return { name: place.name, file: place.path, text, from: files, warnings };
}

/** @throws spec_there where somebody wrote it meanwhile, home_unwritable */
export function writeEnvironment({ name, file, text }: EnvironmentDraft): void {
  if (existsSync(file)) throw new SortieError("spec_there", { name, file });
  makeFolder(dirname(file));
  writeFileAtomic(file, text, { mode: 0o644 });
}
