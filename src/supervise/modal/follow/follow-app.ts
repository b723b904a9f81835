import { describeFault } from "../../../base/error.ts";
import type { ModalExit } from "../../../targets/modal/manifest.ts";
import { MODAL_VARIABLES, readRunOutput } from "../../../targets/modal/run-modal.ts";
import { awaitEnd } from "./await-end.ts";
import { describeFaultOf } from "./describe-fault.ts";
import type { FollowOrder } from "./follow-order.ts";
import type { Following, FollowMeans } from "./following.ts";
import { loadExit } from "./load-exit.ts";
import type { ModalEnd } from "./modal-end.ts";
import { makeOutputMemory } from "./output-memory.ts";
import { stopAtModal } from "./stop-at-modal.ts";

/** Longer than an app can be queued and run. */
const CLIENT_MS = 30 * 24 * 3600 * 1000;
const EXIT_STOPPED = 143;

/**
 * Starts an app by `modal run`, and lives as long as it does at Modal, also where the program that started it is cut off. Answers
 * with the exit code of the app's command: what the launcher wrote down where there is a launcher, else the program's own.
 */
export async function followApp(order: FollowOrder, means: FollowMeans): Promise<number> {
  const { runner, env } = means;
  const following: Following = {
    ...means,
    ...{ order, output: makeOutputMemory(), modal: { runner, env, cwd: order.cwd } },
    say: (line) => means.print(`sortie: ${line}\n`),
  };
  try {
    return await followToEnd(following);
  } catch (fault) {
    const doubt = describeFault(fault);
    following.say(`${doubt} Look at it by hand: modal app logs ${order.app}`);
    means.keepEnd({ ...readSight(following), exit: null, fault: null, doubt });
    return 1;
  }
}

async function followToEnd(following: Following): Promise<number> {
  const { stop, output, keepEnd } = following;
  const cut = new AbortController();
  const client = runClient(following, cut.signal);
  const code = await Promise.race([client, whenAborted(stop)]);
  if (stop.aborted) return stopFollowed(following, cut, client);
  const isClear = code === 0 && !readRunOutput(output.read()).isLeft;
  const ended = isClear ? "alone" : await awaitEnd(following, code);
  if (ended === "stopped") return stopFollowed(following, cut, client);
  const exit = isClear ? null : await loadExit(following);
  const isTold = exit !== null || (code !== null && ended === "alone");
  const exitCode = exit?.exitCode ?? (isTold ? (code as number) : 1);
  const doubt = isTold ? null : "Modal does not tell how the app ended, and nothing on a volume does";
  if (doubt !== null) following.say(`${doubt}.`);
  const fault = exitCode === 0 || exit !== null || ended === "left" ? null : describeFaultOf(output.read());
  keepEnd({ ...readSight(following), exit, fault, doubt });
  return exitCode;
}

/** Its exit code; null: a signal ended it, or it could not be started. Both of its streams go the same way. */
async function runClient({ runner, env, order, output, print }: Following, cut: AbortSignal) {
  const outcome = await runner.run(["sh", "-c", 'exec "$@" 2>&1', "sh", ...order.argv], {
    ...{
      env: { ...env, ...order.variables, ...MODAL_VARIABLES },
      cwd: order.cwd,
      timeoutMs: CLIENT_MS,
      signal: cut,
      maxBytes: 0,
    },
    onStdout: (chunk) => {
      output.add(chunk);
      print(chunk);
    },
  });
  return outcome.exitCode;
}

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

async function stopFollowed(
  following: Following,
  cut: AbortController,
  client: Promise<unknown>,
): Promise<number> {
  const doubt = await stopAtModal(following);
  cut.abort();
  await client;
  following.keepEnd({ ...readSight(following), exit: null as ModalExit | null, fault: null, doubt });
  return EXIT_STOPPED;
}

function readSight({ output }: Following): Pick<ModalEnd, "appId" | "page"> {
  const { appId, page } = readRunOutput(output.read());
  return { appId, page };
}
