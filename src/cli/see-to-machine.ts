import { makePrintable } from "../base/printable.ts";
import type { Desk } from "../supervise/desk.ts";
import type { RunRecord } from "../supervise/find-runs.ts";
import type { MachineSight } from "../supervise/rent/show-machine.ts";

/** What becomes of the rented machine of a run that is over; null: it is on none. Loaded on demand: few are. */
export async function seeToMachine(
  desk: Desk,
  { id, kind }: Pick<RunRecord, "id" | "kind">,
): Promise<MachineSight | null> {
  if (kind !== "vast") return null;
  const { endMachine } = await import("../supervise/rent/show-machine.ts");
  return endMachine(desk, id);
}

/** The same as it is known, without doing anything. */
export async function lookAtMachine(
  desk: Desk,
  { id, kind }: Pick<RunRecord, "id" | "kind">,
): Promise<MachineSight | null> {
  if (kind !== "vast") return null;
  const { showMachine } = await import("../supervise/rent/show-machine.ts");
  return showMachine(desk, id);
}

/** For people, under the end of the run. */
export function formatMachine(sight: MachineSight | null): string[] {
  return (sight?.words ?? []).map((line) => makePrintable(`  machine   ${line}`));
}
