import { setLongTimeout } from "../../base/long-timeout.ts";

/** Lets only so many commands go at once; the others wait in their order. */
export interface ChannelLimit {
  /** Waits for a place; the answer gives it back. null: the time was over, or it was called off, before there was one. */
  take(waitMs: number, signal?: AbortSignal): Promise<(() => void) | null>;
}

/** sshd lets a connection have 10 sessions by default, and several Sorties may share one: each takes a few of them. */
export function makeChannelLimit(most: number): ChannelLimit {
  const waiting: (() => void)[] = [];
  let taken = 0;

  const giveBack = () => {
    taken -= 1;
    waiting.shift()?.();
  };
  const makePlace = () => {
    taken += 1;
    let isHeld = true;
    return () => {
      if (isHeld) giveBack();
      isHeld = false;
    };
  };
  return {
    take(waitMs, signal) {
      if (signal?.aborted) return Promise.resolve(null);
      if (taken < most) return Promise.resolve(makePlace());
      return new Promise((resolve) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1);
          finish(null);
        };
        const enter = () => finish(makePlace());
        const timer = setLongTimeout(leave, waitMs);
        signal?.addEventListener("abort", leave, { once: true });
        const finish = (place: (() => void) | null) => {
          timer.clear();
          signal?.removeEventListener("abort", leave);
          resolve(place);
        };
        waiting.push(enter);
      });
    },
  };
}
