import { type HeldGpu, type HoldOptions, holdGpu } from "../../gpus/hold-gpu.ts";

/** Someone who kills the holder again and again is not to be outdone. */
const MOST_RETAKES = 10;

/**
 * Keeps a lease until it is released: where its holder is killed (by a person, or for want of memory), the same GPU is taken
 * again, and `onWarn` told. Where that fails the agent goes on, since its handler has the GPU in any case.
 */
export function keepLease(
  first: HeldGpu,
  { holder, env, onWarn }: Pick<HoldOptions, "holder" | "env"> & { readonly onWarn: (text: string) => void },
): { release(): Promise<void> } {
  const { uuid } = first;
  const over = new AbortController();
  const { signal } = over;
  const released = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  const take = () => holdGpu({ candidates: [uuid], holder, env, signal }).catch(() => "failed" as const); // called off

  const keep = async () => {
    let held = first;
    for (let retakes = 0; ; retakes += 1) {
      await Promise.race([held.lost, released]);
      if (signal.aborted) return held.release();
      const next = retakes === MOST_RETAKES ? "failed" : await take();
      if (typeof next === "string") break;
      held = next;
      onWarn(`the holder of the lease of ${uuid} was killed: the lease is taken again`);
    }
    if (signal.aborted) return;
    onWarn(
      `the lease of ${uuid} is lost, its holder was killed: others may take the GPU while this agent uses it`,
    );
  };
  const kept = keep();
  return {
    release() {
      over.abort();
      return kept;
    },
  };
}
