/** What ties a run to a fleet: whose agent it is, under which id, and what is known of its restarts. Times are ISO 8601 UTC. */
export interface Seat {
  /** The fleet's id. */
  readonly fleet: string;
  /** From 1; the order in which the fleet's agents are started. */
  readonly number: number;
  /** What its command is: our agent, which finds its GPU in the environment, or a script that is told an index. */
  readonly runner: "handler" | "script";
  /** The agent id under which the next attempt dials; a UUID. */
  readonly agentId: string;
  /** The GPU that the seat plays on; null: none at all. */
  readonly gpu: { readonly uuid: string | null; readonly index: number | null } | null;
  /** How often it was started again so far. */
  readonly restarts: number;
  /** When the last attempt ended; null: none has. */
  readonly attemptEndedAt: string | null;
  /** Before this time the next attempt is not started; null: at any time. */
  readonly notBefore: string | null;
}

/** How many GPUs a seat's run takes under a lease. Without a UUID there is nothing to lease: 0 leaves them as they are. */
export function countSeatGpus({ gpu }: Seat): number | "none" {
  if (gpu === null) return "none";
  return gpu.uuid === null ? 0 : 1;
}

/**
 * The variables that a seat's command is started with; null: it is not to have that one. A script counts GPUs by index,
 * so nothing is hidden from it, and the run's GPU is named for an agent that it may start.
 */
export function makeSeatVariables({ agentId, runner, gpu }: Seat): Readonly<Record<string, string | null>> {
  const id = { SORTIE_AGENT_ID: agentId };
  if (gpu === null) return id;
  const order = { CUDA_DEVICE_ORDER: "PCI_BUS_ID" };
  if (runner === "script")
    return { ...id, ...order, CUDA_VISIBLE_DEVICES: null, ...(gpu.uuid && { SORTIE_RUN_GPUS: gpu.uuid }) };
  if (gpu.uuid !== null || gpu.index === null) return id; // its supervisor pins what it has leased
  return { ...id, ...order, CUDA_VISIBLE_DEVICES: String(gpu.index) };
}
