import type { Desk } from "../supervise/desk.ts";
import { makeFleetDocument } from "../supervise/fleet/show-fleet.ts";
import { describeFinish, finishFleet } from "./finish-fleet.ts";
import type { Io } from "./io.ts";
import type { Confirmed } from "./launch-and-follow.ts";
import type { SignalListener } from "./listen-for-signals.ts";
import { sayLines } from "./say-lines.ts";

/** What the launch of a fleet has done, and how the fleet goes on, to its end. */
export async function followLaunch(
  io: Io,
  desk: Desk,
  { plan, outcome }: Confirmed,
  signals: SignalListener,
): Promise<number> {
  if (!io.json) sayLines(io, outcome.words);
  const { id: fleet } = outcome.document["fleet"] as { readonly id: string };
  const finish = await finishFleet(io, desk, fleet, { signals });
  const { id, action, expiresAt } = plan;
  if (io.json)
    io.printDocument({
      ...{ plan: { id, action, expiresAt }, ...outcome.document },
      fleet: makeFleetDocument(finish.view),
    });
  else sayLines(io, describeFinish(finish));
  return finish.exitCode;
}
