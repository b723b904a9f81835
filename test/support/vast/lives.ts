/** What the vendor says of an instance from so many seconds after its start on; the last step stays. */
export interface LifeStep {
  readonly atS: number;
  /** Null: nothing is known of it yet. */
  readonly status: string | null;
  readonly message?: string;
}

/** In the order of their times, the first at 0. */
export type Life = readonly LifeStep[];

/** As most of them do: its image is loaded, then it runs. */
export function runAfter(seconds: number): Life {
  const loading: LifeStep = { atS: 0, status: "loading", message: "a3ed95caeb02: Pulling fs layer" };
  const running: LifeStep = { atS: seconds, status: "running", message: "success, running the-image/ssh" };
  return seconds <= 0 ? [running] : [loading, running];
}

/** Nothing ever moves. */
export function loadForEver(message = "a3ed95caeb02: Pulling fs layer"): Life {
  return [{ atS: 0, status: "loading", message }];
}

/** A slow image, whose layers come one after the other, each after so many seconds; then it runs. */
export function loadSlowly(layers: number, secondsPerLayer: number): Life {
  const steps = Array.from({ length: layers }, (_, layer) => ({
    atS: layer * secondsPerLayer,
    status: "loading",
    message: `layer${layer}: Pull complete`,
  }));
  return [...steps, { atS: layers * secondsPerLayer, status: "running", message: "success, running" }];
}

/** The vendor goes on saying `created`, and what is wrong stands in the words alone. */
export function failToCreate(
  message = "Error response from daemon: failed to create task for container: OCI runtime create failed",
): Life {
  return [{ atS: 0, status: "created", message }];
}

/** It runs, then its container ends (`exited`) or its host is away (`offline`). */
export function endAfter(seconds: number, status: "exited" | "offline"): Life {
  return [...runAfter(0), { atS: seconds, status, message: status === "exited" ? "container exited" : "" }];
}

export function findStep(life: Life, ageS: number): LifeStep {
  const reached = life.filter(({ atS }) => atS <= ageS).at(-1) ?? life[0];
  if (reached === undefined) throw new Error("a life has at least one step");
  return reached;
}
