import type { Desk } from "../supervise/desk.ts";
import { isFleetEnded } from "../supervise/fleet/fleet.ts";
import { makeAgentMemory } from "../supervise/fleet/read-agent.ts";
import { type FleetView, lookAtFleet } from "../supervise/fleet/show-fleet.ts";
import { stopFleet } from "../supervise/fleet/stop-fleet.ts";
import type { Io } from "./io.ts";
import type { SignalListener } from "./listen-for-signals.ts";
import { type FleetWatched, watchFleet } from "./watch-fleet.ts";

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** Between TERM and KILL: every group has ended within five seconds of a Ctrl-C. */
const GRACE_S = 3;

export interface FleetFinish {
  readonly watched: FleetWatched;
  readonly view: FleetView;
  readonly exitCode: number;
}

/**
 * Watches a fleet to its end, or ends it where a person wants that: then every process of it is gone when this answers.
 * Exit code 0: every agent was drained, or the fleet was left running; 1: one ended otherwise; 130, 143: ended by a signal.
 * `describe`: a line above the table.
 */
export async function finishFleet(
  io: Io,
  desk: Desk,
  id: string,
  { signals, describe }: { readonly signals: SignalListener; readonly describe?: () => string | null },
): Promise<FleetFinish> {
  const memory = makeAgentMemory();
  const look = () => lookAtFleet(desk, id, memory);
  const watched = await watchFleet(
    io,
    {
      look: async () => {
        const view = await look();
        return { ...view, headline: isFleetEnded(view) ? null : (describe?.() ?? null) }; // it lags behind
      },
      now: () => desk.clock.now(),
      sleep: (ms, signal) => desk.clock.sleep(ms, signal),
    },
    signals,
  );
  if (watched !== "SIGINT" && watched !== "SIGTERM") {
    const view = await look();
    return { watched, view, exitCode: watched === "left" || view.outcome?.isDrained ? 0 : 1 };
  }
  if (!io.json) io.say("Ending every agent …");
  await stopFleet(desk, id, { graceS: GRACE_S, force: true });
  return { watched, view: await look(), exitCode: EXIT_CODES[watched] };
}

/** What a fleet came to, for people, with the command that comes next. */
export function describeFinish({ watched, view }: FleetFinish): string[] {
  const { name, agents, outcome, cause } = view;
  if (watched === "left") return [`${name} goes on: sortie agents ls, sortie agents stop ${name}`];
  if (outcome?.isDrained) return [`${describeDrained(agents)} drained: the job needs no more.`];
  if (watched !== "ended") return [`${name} is ended; nothing of it is left.`];
  return [
    ...(outcome?.others ?? []).map(({ number, why }) => `Agent ${number} ended otherwise: ${why}`),
    `Next: sortie agents logs ${name}${cause === null ? "" : "; sortie doctor --job"}`,
  ];
}

/** Those that came too late, or whose turn never came, were not drained. */
function describeDrained(agents: FleetView["agents"]): string {
  const drained = agents.filter(({ state }) => state === "drained").length;
  if (drained === agents.length) return drained === 1 ? "The agent" : `All ${drained} agents`;
  return `${drained} of ${agents.length} agents`;
}
