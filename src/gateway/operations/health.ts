import { statfsSync } from "node:fs";

/** `degraded`: it works, and somebody should look. `failing`: send nobody here. */
export type HealthStatus = "ok" | "degraded" | "failing";

export interface PartHealth {
  readonly status: HealthStatus;
  readonly why?: string;
}

export interface Health {
  readonly status: HealthStatus;
  readonly parts: Readonly<Record<string, PartHealth>>;
}

/** Looks at one part. One that throws is failing. */
export type HealthProbe = () => PartHealth;

const RANK: Readonly<Record<HealthStatus, number>> = { ok: 0, degraded: 1, failing: 2 };
const MIB = 1024 * 1024;

/** Asks every part: the whole is as well as the worst of them. */
export function checkHealth(probes: Readonly<Record<string, HealthProbe>>): Health {
  const parts: Record<string, PartHealth> = {};
  let status: HealthStatus = "ok";
  for (const [name, probe] of Object.entries(probes)) {
    const part = ask(probe);
    parts[name] = part;
    if (RANK[part.status] > RANK[status]) status = part.status;
  }
  return { status, parts };
}

/** The status of `/healthz` over HTTP: a degraded gateway still takes requests. */
export function findHealthStatus({ status }: Health): 200 | 503 {
  return status === "failing" ? 503 : 200;
}

/** Whether there is room in a folder: below `leastMiB` it is degraded, without any it is failing. */
export function probeDisk(folder: string, leastMiB: number): HealthProbe {
  return () => {
    const { bavail, bsize } = statfsSync(folder);
    const freeMiB = Math.floor((bavail * bsize) / MIB);
    if (freeMiB >= leastMiB) return { status: "ok" };
    return { status: freeMiB === 0 ? "failing" : "degraded", why: `${freeMiB} MiB are free` };
  };
}

/** Nothing of a path is told: the answer may be public. */
function ask(probe: HealthProbe): PartHealth {
  try {
    return probe();
  } catch (fault) {
    const code = (fault as { readonly code?: unknown }).code;
    return { status: "failing", why: typeof code === "string" ? code : "it could not be asked" };
  }
}
