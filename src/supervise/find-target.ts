import { SortieError } from "../base/error.ts";
import type { RemotePlace, RunRecord } from "../runs/run-record.ts";
import { makeLocalTarget } from "../targets/local/local-target.ts";
import { makeSshTarget } from "../targets/ssh/ssh-target.ts";
import type { Target } from "../targets/target.ts";
import type { ChosenTarget } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import type { PlanTerms } from "./plan.ts";
import { type HostDesk, openHost } from "./remote/open-host.ts";

export interface TargetSettings {
  /** null: `jobs` in the home folder of Sortie on the host. */
  readonly jobDir: string | null;
  readonly freeMemoryMiB: number;
}

/** Which target is meant: a run or a plan names one. */
export interface TargetAddress {
  readonly kind: string;
  /** null, or absent: this machine. */
  readonly remote?: Pick<RemotePlace, "address"> | null;
}

const DEFAULT_FREE_MEMORY_MIB = 500;
export const THIS_MACHINE: TargetAddress = { kind: "local" };

/** Of a plan that was made. */
export function findAddress({ target, remote = null }: Pick<PlanTerms, "target" | "remote">): TargetAddress {
  return { kind: findKeeper(target.kind), remote };
}

/** The kind of machine that a run is supervised on: what is on Modal is followed from here. */
function findKeeper(kind: string): string {
  return kind === "modal" ? "local" : kind;
}

/** Of a target that was chosen for a plan. */
export function findAddressOf({ section, ssh }: ChosenTarget): TargetAddress {
  return { kind: section.kind, remote: ssh && { address: ssh } };
}

/** The target object of a kind. @throws target_unsupported */
export function makeTarget(
  desk: HostDesk,
  { kind, remote }: TargetAddress,
  settings: Partial<TargetSettings> = {},
): Target {
  const { jobDir = null, freeMemoryMiB = DEFAULT_FREE_MEMORY_MIB } = settings;
  if ((kind === "ssh" || kind === "vast") && remote) {
    return makeSshTarget({ runner: openHost(desk, remote.address), jobDir, freeMemoryMiB });
  }
  if (kind !== "local" || remote) throw new SortieError("target_unsupported", { kind });
  return makeLocalTarget({ jobDir: jobDir ?? desk.home.jobs, freeMemoryMiB, env: desk.env });
}

/** Whether there is a machine for it: one that is still being rented, or came to nothing, has none to be asked. */
export function isPlaced({ kind, remote }: Pick<RunRecord, "kind" | "remote">): boolean {
  return kind !== "vast" || remote !== null;
}

/** The target that a recorded run was launched on. */
export function findTargetOf(desk: Desk, run: RunRecord): Target {
  return makeTarget(desk, { ...run, kind: findKeeper(run.kind) });
}
