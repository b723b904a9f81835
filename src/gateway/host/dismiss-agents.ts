import { closeCodes } from "../../wire/close-codes.ts";
import type { TunnelSide } from "../tunnel-side.ts";

const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 10;

/** Ends every link in an orderly way, so that agents know to dial again; an agent that does not answer is cut off. */
export async function dismissAgents({ jobs, host, door }: TunnelSide): Promise<void> {
  const { clock, flags } = host;
  for (const job of jobs.live) {
    for (const { link } of job.tunnels.values()) {
      if (flags.closeCodes === "silent") link?.close();
      else link?.close(closeCodes.stopping, "the gateway is stopping");
    }
  }
  const untilMs = clock.monotonicMs() + PATIENCE_MS;
  while (door.size > 0 && clock.monotonicMs() < untilMs) await clock.sleep(LOOK_AGAIN_MS);
}
