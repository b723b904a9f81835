import { toSortieError } from "../../../base/error.ts";
import { listApps, loadAppLog } from "../../../targets/modal/ask-modal.ts";
import type { ModalApp } from "../../../targets/modal/read-answers.ts";
import { readRunOutput } from "../../../targets/modal/run-modal.ts";
import { findNewLines } from "./find-new-lines.ts";
import type { Following } from "./following.ts";

const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 15_000;
/** An app that ends with its program may still be shown as running for so many looks. */
const ENDING_LOOKS = 3;
const LOG_ENTRIES = 500;
/** What an app may take beside its time limit: a queue for its GPU, a start again elsewhere. */
const PATIENCE_S = 24 * 3600;

/**
 * Waits until the app is over, when the program that started it has ended with something else than its success. `alone`: it ended
 * with the program; `left`: it went on, and was followed until it had stopped; `stopped`: a person asked for its end.
 */
export async function awaitEnd(
  following: Following,
  code: number | null,
): Promise<"alone" | "left" | "stopped"> {
  const { clock, stop, order, output, say } = following;
  const { appId, isLeft } = readRunOutput(output.read());
  const until = clock.monotonicMs() + (order.limitS + PATIENCE_S) * 1000;
  // A signal ended it, or it says so itself.
  const wasCut = code === null || code > 128 || isLeft;
  if (appId === null && !wasCut) return "alone"; // nothing was made at Modal
  let isTold = false;
  let looks = 0;
  let silentSince: number | null = null;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MOST_PAUSE_MS)) {
    if (stop.aborted) return "stopped";
    const app = await findApp(following, appId);
    if (app === "away") {
      if (silentSince === null) say("Modal does not answer; it is asked again.");
      silentSince ??= clock.monotonicMs();
    } else {
      silentSince = null;
      const isOver = app === null || app.state === "stopped";
      if (isOver && looks > 0) await printNews(following, app?.id ?? appId);
      if (isOver) return isTold ? "left" : "alone";
      looks += 1;
      const isEnding = !wasCut && looks <= ENDING_LOOKS;
      if (!isTold && !isEnding) sayLeft(following);
      isTold ||= !isEnding;
      if (isTold) await printNews(following, app?.id ?? appId);
    }
    if (clock.monotonicMs() > until) return "left";
    await clock.sleep(pauseMs, stop);
  }
}

function sayLeft({ say, order }: Following): void {
  say("The connection to Modal was lost. The app goes on there, and is followed again.");
  say(`By hand: modal app logs ${order.app}`);
}

/** null: Modal knows of no such app, or no longer; `away`: it did not answer. */
async function findApp({ modal, order }: Following, appId: string | null): Promise<ModalApp | null | "away"> {
  try {
    const apps = await listApps(modal);
    return apps.find(({ id, name }) => (appId === null ? name === order.app : id === appId)) ?? null;
  } catch (fault) {
    const { code } = toSortieError(fault);
    if (code === "modal_away") return "away";
    throw fault;
  }
}

/** What the app has printed since. It is the log alone that misses it where Modal does not answer. */
async function printNews({ modal, output, print }: Following, appId: string | null): Promise<void> {
  if (appId === null) return;
  try {
    const log = (await loadAppLog(modal, appId, LOG_ENTRIES)).replace(/\n$/, "").split("\n");
    const news = findNewLines(output.read().split("\n"), log);
    if (news.length === 0) return;
    const text = Buffer.from(`${news.join("\n")}\n`);
    output.add(text);
    print(text);
  } catch {
    // the next look has it, or the copy on the volume
  }
}
