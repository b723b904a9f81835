import type { Clock } from "../base/clock.ts";
import { keepFrameMemory } from "../wire/frame-memory.ts";
import type { GatewayFlags, GatewayTimers } from "./gateway-flags.ts";
import type { JobHost } from "./job-parts.ts";
import { JobTable } from "./job-table.ts";
import { Scheduler } from "./scheduler.ts";
import { startSweep } from "./sweep.ts";
import type { Tunnel } from "./tunnel.ts";
import { makeTunnelDoor, type TunnelDoor } from "./tunnel-door.ts";

export interface TunnelSideOptions {
  readonly flags: GatewayFlags;
  readonly timers: GatewayTimers;
  readonly clock: Clock;
  readonly report: JobHost["report"];
  /** The user that a login token names; undefined: there are no logins, or this is none. */
  readonly findOwner?: (token: string) => Promise<string | undefined>;
}

/** All of a gateway that agents see: its jobs, who plays what, and the door that they dial. */
export interface TunnelSide {
  readonly jobs: JobTable;
  readonly host: JobHost;
  readonly door: TunnelDoor;
  /** From now on windows end, links are pinged, and drains are held to their time. */
  start(): void;
  /** Ends every link, whatever is open. */
  close(): void;
}

export function makeTunnelSide(options: TunnelSideOptions): TunnelSide {
  const { flags, timers, clock, report, findOwner } = options;
  keepFrameMemory();
  const jobs = new JobTable();
  const scheduler = new Scheduler<Tunnel>();
  const closing = new AbortController();
  const host: JobHost = { flags, timers, clock, scheduler, report, closing: closing.signal };
  const door = makeTunnelDoor(jobs, host, findOwner);
  let stopSweep: (() => void) | undefined;
  return {
    ...{ jobs, host, door },
    start() {
      stopSweep ??= startSweep(jobs, host);
    },
    close() {
      closing.abort();
      stopSweep?.();
      door.close();
    },
  };
}
