import { findLongestMs } from "./rehearse-options.ts";
import type { Scene } from "./scene.ts";
import type { Crew } from "./start-crew.ts";
import { waitUntil } from "./wait-until.ts";

/** So long after the last session nothing more is expected of agents that have a window to come back in. */
const SLACK_MS = 2_000;

/** Watches until there is nothing more to see, then ends what still plays and runs. */
export async function runToEnd(scene: Scene, crew: Crew, over: AbortController): Promise<void> {
  const { clock, witness, limits, playing } = scene;
  await watch(scene, crew);
  // Drained agents may take their time; those that hang have had it.
  const isDrained = witness.tell().some(({ drain }) => drain !== undefined);
  const ending = new AbortController();
  void crew.ended.then(() => ending.abort());
  if (isDrained && !over.signal.aborted)
    await clock.sleep(limits.drainMs, AbortSignal.any([ending.signal, over.signal]));
  witness.markStop();
  over.abort();
  await Promise.all([crew.stop(), waitUntil(clock, () => playing.size === 0, { timeoutMs: SLACK_MS })]);
  await crew.ended;
}

/** How many agents have sent `ready`. */
export function countReady({ witness }: Pick<Scene, "witness">): number {
  return witness.tell().filter(({ readyAtMs }) => readyAtMs !== undefined).length;
}

async function watch(scene: Scene, crew: Crew) {
  const { clock, job, witness, limits, over, playing } = scene;
  let isDone = false;
  void Promise.race([job.ended, crew.ended]).then(() => {
    isDone = true;
  });
  const longestMs = findLongestMs(limits);
  let busyAtMs = witness.nowMs();
  while (!isDone && !over.aborted) {
    await crew.look(scene.steadyAnswers);
    const nowMs = witness.nowMs();
    const ready = countReady(scene);
    if (playing.size > 0 || ready === 0) busyAtMs = nowMs;
    const isLate = nowMs > limits.loadMs && ready === 0;
    const isIdle = nowMs - busyAtMs > limits.windowMs + SLACK_MS && scene.coming() === 0;
    if (isLate || isIdle || isGivenUp(scene, ready) || nowMs > longestMs) return;
    await clock.sleep(limits.lookMs, over);
  }
}

/** No agent is left that more could be tried with. */
function isGivenUp({ givenUp, coming }: Scene, ready: number): boolean {
  return givenUp.size > 0 && givenUp.size >= ready && coming() === 0;
}
