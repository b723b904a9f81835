import { type Clock, systemClock } from "../../src/base/clock.ts";

/** The system's clock, set forward or back at will; it sleeps in real time. */
export function makeShiftedClock(): Clock & { shift(ms: number): void } {
  let offsetMs = 0;
  return {
    ...systemClock,
    now: () => new Date(Date.now() + offsetMs),
    shift: (ms) => {
      offsetMs += ms;
    },
  };
}
