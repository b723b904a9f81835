import { SortieError } from "../../base/error.ts";
import type { VastInstance } from "../../targets/vast/instance.ts";
import { judgeLoading, type LoadingSight } from "../../targets/vast/judge-loading.ts";
import type { Desk } from "../desk.ts";
import type { Vast } from "./open-account.ts";

const LOOK_EVERY_MS = 3000;

/**
 * Waits until the vendor says that the instance runs, as long as it gets on with it.
 * @throws rent_not_up: it has failed, is gone, or is stuck; and what asking the vendor throws
 */
export async function awaitRunning(
  { clock }: Pick<Desk, "clock">,
  vast: Pick<Vast, "loadInstance">,
  number: number,
  {
    onNews,
    mayGoOn,
    signal,
  }: {
    readonly onNews: (line: string) => void;
    /** Asked before each pause; it throws what speaks against waiting on. */
    readonly mayGoOn: () => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<VastInstance> {
  const sights: LoadingSight[] = [];
  let told = "";
  for (;;) {
    const instance = await vast.loadInstance(number);
    if (instance === null)
      throw new SortieError("rent_not_up", { number, reason: "is not in the account any more" });
    if (instance.status === "running") return instance;
    const { status, statusMessage: message } = instance;
    sights.push({ atS: clock.monotonicMs() / 1000, status, message });
    const { verdict, reason } = judgeLoading(sights);
    if (verdict !== "wait") throw new SortieError("rent_not_up", { number, reason });
    if (reason !== told) onNews(`instance ${number}: ${reason}`);
    told = reason;
    mayGoOn();
    await clock.sleep(LOOK_EVERY_MS, signal);
    signal?.throwIfAborted();
  }
}
