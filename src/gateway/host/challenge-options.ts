import type { Clock } from "../../base/clock.ts";
import type { GatewayEvent } from "../gateway-event.ts";

export interface ChallengeOptions {
  readonly clock?: Clock;
  /** Simulators on this machine need no key. */
  readonly openSimulators?: boolean;
  readonly onEvent?: (event: GatewayEvent) => void;
  /** Where lines for the organiser's log go, JSON each, without line end. */
  readonly onLog?: (line: string) => void;
}

export interface Challenge {
  /** `http://HOST:PORT`. */
  readonly apiUrl: string;
  /** What agents dial. */
  readonly tunnelUrl: string;
  /** Where simulators from outside dial that know host and port alone. */
  readonly policyUrls: { readonly openpi?: string; readonly corobot?: string };
  /**
   * Begins no case any more, lets those that are played end for `graceMs`, then leaves. Jobs and agents stay: what is played
   * still goes on with the next gateway on this data folder.
   */
  stop(graceMs: number): Promise<void>;
}
