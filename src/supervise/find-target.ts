import { SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { makeLocalTarget } from "../targets/local/local-target.ts";
import type { Target } from "../targets/target.ts";
import type { Desk } from "./desk.ts";

export interface TargetSettings {
  /** null: `$SORTIE_HOME/jobs`. */
  readonly jobDir: string | null;
  readonly freeMemoryMiB: number;
}

const DEFAULT_FREE_MEMORY_MIB = 500;

/** The target object of a kind. */
export function makeTarget(desk: Desk, kind: string, settings: Partial<TargetSettings> = {}): Target {
  if (kind !== "local") {
    throw new SortieError("target_unsupported", { kind });
  }
  return makeLocalTarget({
    jobDir: settings.jobDir ?? desk.home.jobs,
    freeMemoryMiB: settings.freeMemoryMiB ?? DEFAULT_FREE_MEMORY_MIB,
    env: desk.env,
  });
}

/** The target that a recorded run was launched on. */
export function findTargetOf(desk: Desk, run: RunRecord): Target {
  return makeTarget(desk, run.kind);
}
