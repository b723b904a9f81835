import { SortieError } from "../base/error.ts";
import { confirmPlan, type EnvironmentNews } from "../supervise/confirm-plan.ts";
import type { Desk } from "../supervise/desk.ts";
import type { Io } from "./io.ts";
import { listenWhileReadying } from "./listen-while-readying.ts";
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
  const { signal, begin, answer, end } = listenWhileReadying();
  const onReadying = (news: EnvironmentNews) => {
    begin();
    onNews(news);
  };
  try {
    const launched = await confirmPlan(desk, plan, { justMade, onProgress, onNews: onReadying, signal });
    if (signal.aborted && launched.run.state === "stopped")
      throw new SortieError("launch_called_off", { run: launched.run.name });
    answer();
    return launched;
  } finally {
    end();
    transfer.done();
    environment.done();
  }
}
