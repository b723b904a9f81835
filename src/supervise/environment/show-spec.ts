import { SortieError } from "../../base/error.ts";
import { chooseTool } from "../../env/render/choose-tool.ts";
import { renderHostBuild } from "../../env/render/host-build.ts";
import { renderModal } from "../../env/render/modal.ts";
import { renderSlurm } from "../../env/render/slurm.ts";
import { renderVast } from "../../env/render/vast.ts";
import type { LoadedSpec } from "../../env/spec/env-spec.ts";
import { loadSpec } from "../../env/spec/load-spec.ts";
import { chooseSpec } from "./find-spec.ts";

export const PROVIDERS = ["local", "ssh", "slurm", "vast", "modal"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ShownSpec extends LoadedSpec {
  readonly name: string;
  /** What is made of it there; null: that was not asked. */
  readonly rendered: string | null;
}

/** A specification of a project, and what a provider is given. @throws spec_missing, spec_bad, spec_unrenderable */
export function showSpec(projectFolder: string, wanted: string | null, provider: Provider | null): ShownSpec {
  const file = chooseSpec(projectFolder, wanted);
  if (file === null) throw new SortieError("spec_missing", { wanted: `in ${projectFolder}`, known: "" });
  const loaded = loadSpec(file.path);
  return { ...loaded, name: file.name, rendered: provider && render(loaded, file.name, provider) };
}

function render({ spec, hash }: LoadedSpec, name: string, provider: Provider): string {
  switch (provider) {
    case "modal":
      return renderModal(spec, { name, hash });
    case "vast":
      return renderVast(spec, { name, hash });
    case "slurm":
      return renderSlurm(spec, { name, hash });
    default: {
      const { tool, python } = chooseTool(spec.base);
      return renderHostBuild(spec, { tool, python });
    }
  }
}
