import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { loadSpec } from "../../env/spec/load-spec.ts";
import type { ModalSetting } from "../../targets/modal/fault-rows.ts";
import type { ModalImage } from "../../targets/modal/modal-wish.ts";
import type { ChosenTarget } from "../choose-target.ts";
import { chooseSpec } from "../environment/find-spec.ts";
import type { PlainScript } from "./find-app.ts";
import { listForeignImports } from "./list-imports.ts";

const USUAL_REQUIREMENTS = "requirements.txt";

export interface FoundImage {
  readonly image: ModalImage;
  /** For people. */
  readonly words: string;
  /** What it is made of, by the setting that says so. */
  readonly states: Readonly<Partial<Record<ModalSetting, string>>>;
}

/**
 * What the container of a script is made of: its project's specification, its requirements, or where it needs nothing but
 * Python an image alone. @throws modal_image_open, spec_missing, spec_ambiguous, spec_bad
 */
export async function findImage(
  { section, projectFolder, settings }: ChosenTarget,
  script: PlainScript,
  asked: { readonly cwd: string; readonly environment: string | null; readonly image: string | null },
): Promise<FoundImage> {
  const { cwd, environment } = asked;
  const { requirements = null, image = null } = section.modal ?? {};
  const base = asked.image ?? image;
  const states = { image: base ?? "", requirements: requirements ?? "", env_spec: settings.envSpec ?? "" };
  const spec =
    requirements === null || environment !== null
      ? chooseSpec(projectFolder, environment ?? settings.envSpec)
      : null;
  if (spec !== null) {
    const { hash, spec: read } = loadSpec(spec.path);
    const words = `as ${relative(projectFolder, spec.path)} specifies (${spec.name}@${hash})`;
    const image: ModalImage = { from: "spec", name: spec.name, hash, spec: read };
    return { image, words, states: { ...states, env_spec: hash } };
  }
  const file =
    requirements ?? (existsSync(resolve(projectFolder, USUAL_REQUIREMENTS)) ? USUAL_REQUIREMENTS : null);
  const on = base === null ? "Modal's Python" : base;
  if (file !== null) {
    const path = resolve(projectFolder, file);
    const image: ModalImage = { from: "requirements", file: relative(cwd, path), base };
    return {
      image,
      words: `${on} with ${file}`,
      states: { ...states, requirements: hashFile(path, section.name) },
    };
  }
  if (base === null) await refuseOpen(script);
  const words = base === null ? `${on}: the script needs no more` : `${on}, as it is`;
  return { image: { from: "plain", base }, words, states };
}

/** @throws modal_app_missing: a file that is named and cannot be read */
function hashFile(path: string, target: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (fault) {
    throw new SortieError("modal_requirements_missing", { path, target, reason: describeFault(fault) });
  }
}

async function refuseOpen({ app, path }: PlainScript): Promise<void> {
  const imports = await listForeignImports(path);
  if (imports.length > 0) throw new SortieError("modal_image_open", { app, imports: imports.join(", ") });
}
