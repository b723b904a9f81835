import type { Clock } from "../base/clock.ts";
import type { FrameHandler } from "../wire/handler.ts";
import type { HandlerLine } from "./handler-line.ts";
import { waitAtMost } from "./wait-at-most.ts";

/** How long a handler may take to close its session, and then for its exit handlers, where nobody is in a hurry. */
const CALM_CLOSE_MS = 10_000;
const CALM_EXIT_MS = 10_000;
/** How long it may take to close its session where somebody is. */
const HURRIED_CLOSE_MS = 1_000;
const STOP_MS = 10_000;

/**
 * Ends a handler. One that is at work learns of the end by being stopped; any other first closes its session. `hurry`:
 * somebody waits for the end; it may come at any time.
 */
export async function stopHandler(
  handler: FrameHandler,
  line: HandlerLine,
  clock: Clock,
  hurry: AbortSignal,
) {
  const hurried = waitForHurry(hurry);
  if (!line.isAtWork) {
    const closed = line.waitForTurn();
    await waitAtMost(CALM_CLOSE_MS, clock, [closed, hurried]);
    if (hurry.aborted) await waitAtMost(HURRIED_CLOSE_MS, clock, [closed]);
  }
  const stop = (patienceMs?: number) => handler.stop(patienceMs).catch(() => undefined); // nothing more can be done about it
  const isCalm = !hurry.aborted;
  const stopped = stop(isCalm ? CALM_EXIT_MS : undefined);
  if (isCalm) await waitAtMost(CALM_EXIT_MS, clock, [stopped, hurried]);
  if (isCalm && hurry.aborted) void stop();
  await waitAtMost(STOP_MS, clock, [stopped]);
}

function waitForHurry(hurry: AbortSignal): Promise<void> {
  if (hurry.aborted) return Promise.resolve();
  return new Promise((resolve) => hurry.addEventListener("abort", () => resolve(), { once: true }));
}
