import type { Config } from "./load-config.ts";
import { resolveSetting } from "./settings.ts";
import type { Target } from "./target.ts";

/** A key that a target needs and does not have. */
export interface MissingKey {
  readonly key: string;
  readonly why: string;
}

/** What a target's section still lacks before it can be launched on; shown in the table only. */
export function listMissing(config: Config, target: Target): MissingKey[] {
  const missing: MissingKey[] = [];
  const want = (isThere: boolean, key: string, why: string) => {
    if (!isThere) missing.push({ key, why });
  };
  if (target.kind === "ssh") want(target.ssh !== undefined, "SSH", "how the server is reached");
  if (target.kind === "ssh" || target.kind === "vast") {
    want(target.codeDir !== undefined, "Code dir", "the folder there that the code goes to");
  }
  if (target.kind === "vast" && target.ssh !== undefined) {
    want(target.vast?.instance != null, "vast_instance", "which instance this address belongs to");
  }
  if (target.kind === "modal") want(target.modal?.app != null, "modal_app", "the Python file to run");
  const isLogging = resolveSetting(config, "wandb", { target }).value;
  const project = resolveSetting(config, "wandb_project", { target }).value;
  want(!isLogging || project !== null, "wandb_project", "needed with wandb: true");
  return missing;
}
