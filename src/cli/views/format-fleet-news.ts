import { makePrintable } from "../../base/printable.ts";
import { type AgentShown, count, type FleetShown, listHeadlines } from "./format-fleet.ts";

/** Where nothing changes, the counts are told so often. */
const SUMMARY_EVERY_MS = 60_000;

/**
 * A fleet as lines that follow each other, where no terminal is to draw a table on: a line for each agent whose state or
 * note has changed, and now and then one for the whole. Keeps what it has told; answers with the lines that are new.
 */
export function makeFleetNews(): (fleet: FleetShown, now: Date) => string[] {
  const told = new Map<number, string>();
  let summaryMs = Number.NEGATIVE_INFINITY;
  let summary = "";
  return (fleet, now) => {
    const changed = fleet.agents.filter((agent) => {
      const news = describeAgent(agent);
      if (told.get(agent.number) === news) return false;
      told.set(agent.number, news);
      return true;
    });
    const lines = changed.map(describeAgent);
    const whole = listHeadlines(fleet).join(" ");
    if (whole !== summary && now.getTime() - summaryMs >= SUMMARY_EVERY_MS) {
      [summary, summaryMs] = [whole, now.getTime()];
      lines.push(whole);
    }
    return lines.map((line) => `${formatClock(now)} ${makePrintable(line.replaceAll("\n", " "))}`);
  };
}

function describeAgent({ number, gpu, state, sessions, note }: AgentShown): string {
  const place = gpu === null ? "" : ` on GPU ${gpu}`;
  const played =
    sessions === null || sessions === 0 || state === "running" ? "" : `, ${count(sessions, "session")}`;
  return `agent ${number}${place}: ${state}${played}${note === null ? "" : `: ${note}`}`;
}

/** As the agents' own logs begin their lines. */
function formatClock(now: Date): string {
  return now.toISOString().replace(/\.\d+/, "");
}
