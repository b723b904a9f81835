import { formatBytes } from "../base/bytes.ts";
import type { Transfer } from "../supervise/confirm-plan.ts";
import type { Io } from "./io.ts";

const BAR_WIDTH = 24;
/** A transfer that is done sooner is not worth a word. */
const QUIET_MS = 700;
const PLAIN_EVERY_MS = 10_000;

/**
 * Shows how far a transfer is: a bar that is drawn anew on a terminal, elsewhere a line now and then. With `--json` it is
 * silent. To be called for each news of it; `done` when there is no more.
 */
export function showTransfers(
  io: Io,
  what: "sending" | "fetching" = "sending",
): { onProgress(transfer: Transfer): void; done(): void } {
  const startedMs = performance.now();
  let saidMs = startedMs;
  let isDrawn = false;
  return {
    onProgress(transfer) {
      const nowMs = performance.now();
      if (io.json || nowMs - startedMs < QUIET_MS) return;
      if (io.isTerminal) {
        io.write(`\r\u001b[K${describeTransfer(what, transfer)}`);
        isDrawn = true;
      } else if (nowMs - saidMs >= PLAIN_EVERY_MS) {
        saidMs = nowMs;
        io.say(describeTransfer(what, transfer));
      }
    },
    done() {
      if (isDrawn) io.write("\r\u001b[K");
    },
  };
}

function describeTransfer(what: string, { bytes, part }: Transfer): string {
  if (part === null) return `${what}: ${formatBytes(bytes)}`;
  const filled = Math.round(part * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  return `${what} ${bar} ${Math.floor(part * 100)} %, ${formatBytes(bytes)}`;
}
