import { confirmPlan } from "../supervise/confirm-plan.ts";
import type { Desk } from "../supervise/desk.ts";
import type { Io } from "./io.ts";
import { showEnvironmentNews } from "./show-environment-news.ts";
import { showTransfers } from "./show-transfer.ts";
import { warnNotices } from "./warn-notices.ts";

/** Confirms the plan of a run, and shows how far the code is on its way, and how its environment is made ready. @throws as `confirmPlan` */
export async function confirmAndShow(
  io: Io,
  desk: Desk,
  plan: string,
  { justMade = false }: { justMade?: boolean } = {},
): ReturnType<typeof confirmPlan> {
  await warnNotices(io, desk);
  const transfer = showTransfers(io);
  const environment = showEnvironmentNews(io);
  const { onProgress } = transfer;
  const { onNews } = environment;
  try {
    return await confirmPlan(desk, plan, { justMade, onProgress, onNews });
  } finally {
    transfer.done();
    environment.done();
  }
}
