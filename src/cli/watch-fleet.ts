import { countOf } from "../base/count-of.ts";
import { askForOne } from "./ask.ts";
import type { Io } from "./io.ts";
import type { SignalListener } from "./listen-for-signals.ts";
import { makeLiveArea } from "./live-area.ts";
import { type FleetShown, formatFleet } from "./views/format-fleet.ts";
import { makeFleetNews } from "./views/format-fleet-news.ts";

/** How watching ended: with the fleet, by the person's choice to leave it, or by a signal that is to end it. */
export type FleetWatched = "ended" | "left" | "SIGINT" | "SIGTERM";

export interface WatchedFleet {
  /** How it is now. */
  look(): Promise<FleetShown>;
  now(): Date;
  /** Ends early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const LOOK_EVERY_MS = 1000;

/**
 * Shows a fleet until it has ended: a table drawn anew in place on a terminal, lines elsewhere. Ctrl-C on a terminal asks
 * what to do while cases are in flight; a second one, TERM, and any signal where nobody can be asked do not. A hang-up is
 * not listened for: the process ends, and the fleet goes on.
 */
export async function watchFleet(
  io: Io,
  fleet: WatchedFleet,
  signals: Pick<SignalListener, "next">,
): Promise<FleetWatched> {
  const face = chooseFace(io);
  try {
    return await watch(io, fleet, { signals, face });
  } finally {
    face.end();
  }
}

interface Face {
  show(fleet: FleetShown, now: Date): void;
  /** Lets something else be said. */
  pause(): void;
  end(): void;
}

async function watch(
  io: Io,
  fleet: WatchedFleet,
  { signals, face }: { signals: Pick<SignalListener, "next">; face: Face },
): Promise<FleetWatched> {
  for (;;) {
    const signal = signals.next();
    const shown = await fleet.look();
    face.show(shown, fleet.now());
    if (shown.state === "ended") return "ended";
    await fleet.sleep(LOOK_EVERY_MS, AbortSignal.any([signal, io.readerGone]));
    if (io.readerGone.aborted) return "left";
    if (!signal.aborted) continue;
    const wish = signal.reason as "SIGINT" | "SIGTERM";
    const playing = countInFlight(shown);
    if (wish === "SIGTERM" || playing === 0 || !io.isTerminal) return wish;
    face.pause();
    const again = signals.next();
    const answer = await askWhatToDo(playing, again);
    if (again.aborted) return again.reason as "SIGINT" | "SIGTERM";
    if (answer !== "go_on") return answer === "leave" ? "left" : "SIGINT";
  }
}

function chooseFace(io: Io): Face {
  if (io.json) return { show: () => undefined, pause: () => undefined, end: () => undefined };
  return io.isTerminal && io.env["TERM"] !== "dumb" ? makeTable(io) : makeStream(io);
}

function makeTable(io: Io): Face {
  const area = makeLiveArea(io);
  return {
    show: (fleet, now) => area.draw([...formatFleet(fleet, now, io.columns), ...describeKeys(fleet)]),
    pause: area.leave,
    end: area.end,
  };
}

function describeKeys({ state }: FleetShown): string[] {
  return state === "ended" ? [] : ["Ctrl-C ends it. It goes on when this terminal is closed."];
}

function makeStream(io: Io): Face {
  const tell = makeFleetNews();
  return {
    show(fleet, now) {
      for (const line of tell(fleet, now)) io.say(line);
    },
    pause: () => undefined,
    end: () => undefined,
  };
}

/** Cases that are lost where the fleet is ended now. */
function countInFlight({ agents }: FleetShown): number {
  return agents.reduce((sum, { inFlight }) => sum + inFlight, 0);
}

/** null: the question was dismissed, by a Ctrl-C too. */
async function askWhatToDo(playing: number, signal: AbortSignal): Promise<"go_on" | "leave" | "end" | null> {
  const lost = `${countOf(playing, "case")} ${playing === 1 ? "is" : "are"} in flight and would be lost.`;
  return askForOne(
    `${lost} What now?`,
    [
      ["go_on", "go on watching"],
      ["leave", "leave the agents running and return to the shell"],
      ["end", "end every agent"],
    ],
    { signal },
  );
}
