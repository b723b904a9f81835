import { findOutcome } from "../../gateway/records/orders.ts";
import type { Store } from "../../store/store.ts";
import type { ActionOutcome } from "../actions/action.ts";
import type { Desk } from "../desk.ts";
import { isGatewayRunning } from "./open-data.ts";

/** The gateway looks for orders every second. */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Waits a little until the running gateway has done the orders, and tells what became of each. */
export async function awaitOrders(
  desk: Desk,
  records: Store,
  { dataFolder, orders }: { readonly dataFolder: string; readonly orders: readonly number[] },
): Promise<ActionOutcome> {
  const running = isGatewayRunning(dataFolder);
  const untilMs = desk.clock.monotonicMs() + (running ? PATIENCE_MS : 0);
  const isOpen = () => orders.some((order) => findOutcome(records, order) === undefined);
  while (isOpen() && desk.clock.monotonicMs() < untilMs) await desk.clock.sleep(LOOK_AGAIN_MS);
  const outcomes = orders.map((order) => findOutcome(records, order) ?? null);
  const told = outcomes.filter((outcome) => outcome !== null);
  const open = outcomes.length - told.length;
  const rest = running
    ? "The gateway has not taken the order yet; it looks every second."
    : "The gateway does not run: it is done when it starts next.";
  return {
    document: { orders: orders.map((id, at) => ({ id, outcome: outcomes[at] ?? null })), running },
    words: [...told.map((outcome) => `The gateway says: ${outcome}.`), ...(open > 0 ? [rest] : [])],
  };
}
