import { describeFault } from "../../../base/error.ts";
import { listApps, stopApp } from "../../../targets/modal/ask-modal.ts";
import { readRunOutput } from "../../../targets/modal/run-modal.ts";
import type { Following } from "./following.ts";

const TRIES = 60;
const PAUSE_MS = 1000;

/** Stops the app and waits until Modal says that it has stopped; null, or what keeps that from being sure, for people. */
export async function stopAtModal({ modal, clock, output, order, say }: Following): Promise<string | null> {
  say("The app is stopped at Modal.");
  let reason = "it still runs";
  let isAsked = false;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const { appId } = readRunOutput(output.read());
      if (appId !== null && !isAsked) {
        await stopApp(modal, appId);
        isAsked = true;
      }
      const open = (await listApps(modal)).filter(
        ({ id, name, state }) => (id === appId || name === order.app) && state !== "stopped",
      );
      if (open.length === 0) return null;
      if (appId === null) for (const { id } of open) await stopApp(modal, id);
    } catch (fault) {
      reason = describeFault(fault);
      isAsked = false;
    }
    await clock.sleep(PAUSE_MS);
  }
  const doubt = `Whether the app has stopped is not sure: ${reason}. By hand: modal app stop ${order.app}`;
  say(doubt);
  return doubt;
}
