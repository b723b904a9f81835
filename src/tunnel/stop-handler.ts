import type { Clock } from "../base/clock.ts";
import type { FrameHandler } from "../wire/handler.ts";
import type { HandlerLine } from "./handler-line.ts";
import { waitAtMost } from "./wait-at-most.ts";

/** How long a handler may take to hear of the end of its session, and then to end itself. */
const CLOSE_MS = 1_000;
const STOP_MS = 10_000;

/** Ends a handler. One that is at work learns of the end by being stopped; any other first closes its session. */
export async function stopHandler(handler: FrameHandler, line: HandlerLine, clock: Clock) {
  if (!line.isAtWork) await waitAtMost(CLOSE_MS, clock, [line.waitForTurn()]);
  const stopped = handler.stop().catch(() => undefined); // nothing more can be done about it
  await waitAtMost(STOP_MS, clock, [stopped]);
}
