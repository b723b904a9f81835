import { makePrintable } from "../base/printable.ts";
import type { Desk } from "../supervise/desk.ts";
import type { RunRecord } from "../supervise/find-runs.ts";
import { describeNoRelaunch } from "../supervise/news/ended-notice.ts";
import type { MachineSight } from "../supervise/rent/show-machine.ts";

type MachineRun = Pick<RunRecord, "id" | "kind" | "state" | "name">;

/** What becomes of the rented machine of a run that is over; null: it is on none. Loaded on demand: few are. */
export async function seeToMachine(desk: Desk, run: MachineRun): Promise<MachineSight | null> {
  if (run.kind !== "vast") return null;
  const { endMachine } = await import("../supervise/rent/show-machine.ts");
  return withAdvice(await endMachine(desk, run.id), run);
}

/** The same as it is known, without doing anything. */
export async function lookAtMachine(desk: Desk, run: MachineRun): Promise<MachineSight | null> {
  if (run.kind !== "vast") return null;
  const { showMachine } = await import("../supervise/rent/show-machine.ts");
  return withAdvice(showMachine(desk, run.id), run);
}

function withAdvice(sight: MachineSight | null, { state, name }: MachineRun): MachineSight | null {
  if (sight === null || (state !== "failed" && state !== "lost")) return sight;
  return { ...sight, words: [...sight.words, describeNoRelaunch(name)] };
}

/** For people, among the rows of a run, whose labels have so much room. */
export function formatMachine(sight: MachineSight | null, labelWidth = 10): string[] {
  return (sight?.words ?? []).map((line) => makePrintable(`  ${"machine".padEnd(labelWidth)}${line}`));
}
