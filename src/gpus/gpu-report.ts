/**
 * `free`: a run may take it. `leased`: a run of Sortie holds it. `busy`: others use it, or a run waits for it.
 * `unknown` is never free.
 */
export type GpuState = "free" | "leased" | "busy" | "unknown";

/** Why a GPU is busy or unknown. */
export type GpuReason =
  | "not_available"
  | "insufficient_permissions"
  | "mig"
  | "lost"
  | "driver_mismatch"
  | "timeout"
  | "compute_process"
  | "dead_process"
  | "memory"
  /** Free, but kept for a run that has waited longer; no lease is held. */
  | "reserved";

export interface GpuProcess {
  readonly pid: number;
  readonly name: string | null;
  readonly user: string | null;
  readonly memoryMiB: number | null;
  /** A zombie is dead. null: it cannot be seen from here, as from inside a container; it counts as alive. */
  readonly alive: boolean | null;
}

/** The text of a lease that is held; null where its holder has not written it (yet). */
export interface GpuLease {
  readonly run: string | null;
  readonly user: string | null;
  /** ISO 8601, UTC. */
  readonly since: string | null;
}

/** A state and what led to it; `message` is a clause for people, null for a free GPU. */
export interface GpuVerdict {
  readonly state: GpuState;
  readonly reason: GpuReason | null;
  readonly message: string | null;
}

export interface Gpu extends GpuVerdict {
  /** As nvidia-smi counts (in PCI order); null for a lost GPU whose number is not known. */
  readonly index: number | null;
  readonly uuid: string | null;
  readonly name: string;
  readonly memoryUsedMiB: number | null;
  readonly memoryTotalMiB: number | null;
  readonly utilizationPercent: number | null;
  readonly processes: readonly GpuProcess[];
  readonly lease: GpuLease | null;
}

/** Why a host that has GPUs cannot use any of them: the host is unfit, which is not the same as having none. */
export interface GpuFault {
  readonly reason: GpuReason;
  readonly message: string;
}

export interface GpuReport {
  readonly kind: "nvidia" | "mps" | "none";
  /** By index. Under a fault: those that the driver knows of, else one that stands for them all, `unknown`. */
  readonly gpus: readonly Gpu[];
  readonly fault: GpuFault | null;
  /** With kind `none`: why there is none, a clause for people. */
  readonly absence: string | null;
}
