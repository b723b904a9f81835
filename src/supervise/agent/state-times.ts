import type { Clock } from "../../base/clock.ts";
import type { AgentState } from "../../wire/agent-states.ts";

/** Counts how long an agent is in each of its states. */
export interface StateTimes {
  enter(state: AgentState): void;
  /** Seconds up to now, in the order in which the states were first entered. */
  read(): readonly (readonly [state: AgentState, seconds: number])[];
}

export function makeStateTimes(clock: Clock): StateTimes {
  const times = new Map<AgentState, number>();
  let state: AgentState = "starting";
  let sinceMs = clock.monotonicMs();
  const count = () => {
    const nowMs = clock.monotonicMs();
    times.set(state, (times.get(state) ?? 0) + (nowMs - sinceMs) / 1000);
    sinceMs = nowMs;
  };
  return {
    enter(next) {
      if (next === state) return;
      count();
      state = next;
    },
    read() {
      count();
      return [...times];
    },
  };
}
