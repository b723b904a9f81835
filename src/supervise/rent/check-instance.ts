import { formatDollars } from "../../base/dollars.ts";
import type { ChosenInstance } from "./find-instance.ts";
import { type AccountDesk, openAccount } from "./open-account.ts";

/** Whether a rented machine still is what a plan rests on; null: it is. */
export async function checkInstance(
  desk: AccountDesk,
  { number, dollarsPerHour }: Pick<ChosenInstance, "number" | "dollarsPerHour">,
): Promise<string | null> {
  const now = await openAccount(desk).loadInstance(number);
  if (now === null) return `the instance ${number} is gone`;
  if (now.status !== "running") return `the instance ${number} does not run any more: ${now.status}`;
  if (now.dollarsPerHour <= dollarsPerHour) return null;
  const [then, today] = [formatDollars(dollarsPerHour), formatDollars(now.dollarsPerHour)];
  return `the instance ${number} costs ${today} an hour now, and no longer ${then}`;
}
