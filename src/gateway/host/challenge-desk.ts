import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/store.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { JobHost } from "../job-parts.ts";
import type { Metrics } from "../operations/metrics.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { TunnelSide } from "../tunnel-side.ts";
import type { AgentBook } from "./agent-book.ts";
import type { Ledger } from "./ledger.ts";

/** How the database is, as the ticks see it. */
export interface Pulse {
  /** When it took a change last, in the clock's monotonic milliseconds. */
  wroteAtMs: number;
  /** What is wrong with its place; undefined: nothing. */
  misplaced: string | undefined;
}

/** What the parts of a hosted gateway work with. */
export interface ChallengeDesk {
  readonly config: GatewayConfig;
  readonly records: Store;
  /** Signs logins and links. */
  readonly signingKey: Uint8Array;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly side: TunnelSide;
  readonly book: AgentBook;
  /** undefined: nothing is recorded. */
  readonly recorder: Recorder | undefined;
  readonly metrics: Metrics;
  readonly report: JobHost["report"];
  readonly pulse: Pulse;
}
