import { countOf } from "../../base/count-of.ts";
import { makePrintable } from "../../base/printable.ts";
import { type AgentShown, describeFleet, type FleetShown, listHints } from "./format-fleet.ts";

/** So often the counts are told where nothing else changes. */
const COUNTS_EVERY_MS = 60_000;

/**
 * A fleet as lines that follow each other, where no terminal is to draw a table on: a line for each agent whose state or note
 * has changed, for the job, and now and then for the whole. Keeps what it has told; answers with the lines that are new.
 */
export function makeFleetNews(): (fleet: FleetShown, now: Date) => string[] {
  const told = new Map<string, string>();
  let countedMs = Number.NEGATIVE_INFINITY;
  const isNews = (what: string, news: string) => {
    if (told.get(what) === news) return false;
    told.set(what, news);
    return true;
  };
  const findWhole = (fleet: FleetShown, nowMs: number) => {
    const isDue = isNews("state", fleet.state) || nowMs - countedMs >= COUNTS_EVERY_MS;
    const whole = describeFleet(fleet);
    if (!isDue || !isNews("whole", whole)) return [];
    countedMs = nowMs;
    return [whole];
  };
  return (fleet, now) => {
    const { headline, agents } = fleet;
    const lines = [
      ...(headline && isNews("headline", headline) ? [headline] : []),
      ...agents.map(describeAgent).filter((line, place) => isNews(String(place), line)),
      ...listHints(fleet).filter((hint) => isNews("hint", hint)),
      ...findWhole(fleet, now.getTime()),
    ];
    return lines.map((line) => `${formatClock(now)} ${makePrintable(line.replaceAll("\n", " "))}`);
  };
}

function describeAgent({ number, gpu, state, sessions, note }: AgentShown): string {
  const place = gpu === null ? "" : ` on GPU ${gpu}`;
  const isPlayed = sessions !== null && sessions > 0 && state !== "running";
  const played = isPlayed ? `, ${countOf(sessions, "session")}` : "";
  return `agent ${number}${place}: ${state}${played}${note === null ? "" : `: ${note}`}`;
}

/** As the agents' own logs begin their lines. */
function formatClock(now: Date): string {
  return now.toISOString().replace(/\.\d+/, "");
}
