import type { Clock } from "../base/clock.ts";
import type { TunnelReport } from "./gateway-event.ts";
import type { GatewayFlags, GatewayTimers } from "./gateway-flags.ts";
import type { Session } from "./session.ts";

/** What a tunnel needs of its job; one object for all tunnels of a job. */
export interface TunnelHost<Tunnel> {
  readonly flags: GatewayFlags;
  readonly timers: GatewayTimers;
  readonly clock: Clock;
  report(tunnel: Tunnel, event: TunnelReport): void;
  /** A reply was taken, and is about to be handed to the simulator. */
  keepReply(session: Session, payload: Uint8Array): void;
  /** The tunnel can take a session. */
  offer(tunnel: Tunnel): void;
  /** The tunnel will not come back. `isExpired`: its window passed with a session open. */
  forget(tunnel: Tunnel, isExpired: boolean): void;
}
