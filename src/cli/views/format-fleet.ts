import { countOf } from "../../base/count-of.ts";
import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import { type Column, formatTable } from "./format-table.ts";
import { formatAge } from "./format-time.ts";

/** One agent of a fleet as it is seen now. Texts may hold what others wrote. */
export interface AgentShown {
  readonly number: number;
  /** The run that it is. */
  readonly run: string;
  readonly gpu: string | null;
  readonly state: string;
  readonly sessions: number | null;
  /** Cases that it plays at this moment. */
  readonly inFlight: number;
  readonly frames: number | null;
  readonly p50Ms: number | null;
  readonly lastNewsAt: string | null;
  /** What a person should know of it; null: nothing. */
  readonly note: string | null;
}

export interface FleetShown {
  readonly name: string;
  readonly state: string;
  readonly cause: string | null;
  readonly agents: readonly AgentShown[];
  /** What stands above it: how its job is. */
  readonly headline?: string | null;
}

/** Those that can be given a case, or play one. */
const UP: readonly string[] = ["running", "draining"];

/** A fleet in one line, its agents in a table, and what is to be said of single ones below it; no wider than the terminal. */
export function formatFleet(fleet: FleetShown, now: Date, columns: number): string[] {
  const shown: readonly Column<AgentShown>[] = [
    { heading: "AGENT", show: ({ number }) => String(number) },
    { heading: "GPU", show: ({ gpu }) => gpu ?? "-" },
    { heading: "STATE", show: ({ state }) => state },
    { heading: "SESSIONS", show: ({ sessions }) => showCount(sessions), isNumber: true },
    { heading: "FRAMES", show: ({ frames }) => showCount(frames), isNumber: true },
    { heading: "P50", show: ({ p50Ms }) => showMs(p50Ms), isNumber: true },
    { heading: "LAST NEWS", show: ({ lastNewsAt }) => (lastNewsAt ? formatAge(lastNewsAt, now) : "-") },
    { heading: "RUN", show: ({ run }) => run, spare: 1 },
  ];
  return [
    ...[fleet.headline ?? [], describeFleet(fleet)]
      .flat()
      .flatMap((line) => wrapText(makePrintable(line), columns)),
    ...formatTable(fleet.agents, shown, columns),
    ...formatNotes(fleet.agents, columns),
    ...listHints(fleet).flatMap((line) => wrapText(makePrintable(line), columns)),
  ];
}

/** A launcher that does not say when its agent is up leaves that to a person. */
export function listHints({ name, agents }: FleetShown): string[] {
  const isHeld = agents.some(({ state }) => state === "waiting");
  const silent = agents.find(({ state }) => state === "unknown");
  if (silent === undefined || !isHeld) return [];
  return [
    `Whether agent ${silent.number} is up its log does not say. If it is: sortie agents release ${name} starts the rest.`,
  ];
}

/** `agents-3f2b8c1e is running: 3 of 4 agents up, 12 sessions, 340 frames.` */
export function describeFleet({ name, state, cause, agents }: FleetShown): string {
  const up = agents.filter((agent) => UP.includes(agent.state)).length;
  const sum = (of: "sessions" | "frames") => agents.reduce((total, agent) => total + (agent[of] ?? 0), 0);
  const counts = [countOf(sum("sessions"), "session"), countOf(sum("frames"), "frame")].join(", ");
  const why = cause === null ? "" : ` (${cause})`;
  if (state === "ended") return `${name} has ended${why}: ${counts}.`;
  return `${name} is ${state}${why}: ${up} of ${countOf(agents.length, "agent")} up, ${counts}.`;
}

/** Agents of which the same is to be said stand together. */
function formatNotes(agents: readonly AgentShown[], columns: number): string[] {
  const numbers = new Map<string, number[]>();
  for (const { number, note } of agents) {
    if (note !== null) numbers.set(note, [...(numbers.get(note) ?? []), number]);
  }
  return [...numbers].flatMap(([note, of]) => {
    const text = makePrintable(note.replaceAll("\n", " "));
    return wrapText(text, columns, "    ", `  ${of.join(", ")}: `);
  });
}

function showCount(amount: number | null): string {
  return amount === null ? "-" : String(amount);
}

function showMs(ms: number | null): string {
  if (ms === null) return "-";
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
