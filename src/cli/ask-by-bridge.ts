import { formatDuration } from "../base/duration.ts";
import type { Desk } from "../supervise/desk.ts";
import { askLaunch, type Bridge, type Said } from "../supervise/news/ask-launch.ts";
import type { Io } from "./io.ts";
import { listenForSignals } from "./listen-for-signals.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";

/** A phone shows no more in one line. */
export const BRIDGE_COLUMNS = 80;

interface AskedPlan {
  readonly id: string;
  readonly expiresAt: string;
}

/**
 * Asks over Feishu whether the plan is to be carried out. null: yes. Else the exit code, nothing having been done: 3 where
 * there was no answer that counts, or a no; 130 or 143 where the question was called off.
 */
export async function askByBridge(
  io: Io,
  desk: Desk,
  bridge: Bridge,
  { plan, lines }: { readonly plan: AskedPlan; readonly lines: readonly string[] },
): Promise<number | null> {
  io.warn(`Asked over Feishu. An answer is waited for at most ${formatDuration(bridge.timeoutMs / 1000)}.`);
  const signals = listenForSignals();
  const signal = signals.next();
  let said: Said;
  try {
    said = await askLaunch(desk, bridge, { plan: plan.id, lines, signal });
  } finally {
    signals.end();
  }
  if (said.isYes && !signal.aborted) {
    io.warn(`Confirmed: ${said.reason}.`);
    return null;
  }
  io.warn(`Nothing was launched: ${said.reason}.`);
  const { option, by, reason } = said;
  const now = desk.clock.now();
  const exit = reportUnconfirmed(io, plan, { now, refused: "Not launched.", answer: { option, by, reason } });
  if (!signal.aborted) return exit;
  return signal.reason === "SIGTERM" ? 143 : 130;
}
