import { confirmPlan } from "../supervise/confirm-plan.ts";
import type { Desk } from "../supervise/desk.ts";
import type { Io } from "./io.ts";
import { showTransfers } from "./show-transfer.ts";

/** Confirms the plan of a run, and shows how far the code is on its way to another host. @throws as `confirmPlan` */
export async function confirmAndShow(
  io: Io,
  desk: Desk,
  plan: string,
  { justMade = false }: { justMade?: boolean } = {},
): ReturnType<typeof confirmPlan> {
  const { onProgress, done } = showTransfers(io);
  try {
    return await confirmPlan(desk, plan, { justMade, onProgress });
  } finally {
    done();
  }
}
