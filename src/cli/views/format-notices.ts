import type { ShownNotice } from "../../supervise/news/load-sent.ts";
import { type Column, formatTable } from "./format-table.ts";
import { formatAge } from "./format-time.ts";

const STATES: Readonly<Record<ShownNotice["state"], string>> = {
  waiting: "to be sent",
  claimed: "being sent",
  sent: "sent",
  failed: "not sent",
  unsure: "not known",
};

/** The newest first, with the reason of what did not go out. */
export function formatNotices(notices: readonly ShownNotice[], now: Date, width: number): string[] {
  const columns: readonly Column<ShownNotice>[] = [
    { heading: "WHEN", show: ({ addedAt }) => formatAge(addedAt, now), spare: 1 },
    { heading: "CHANNEL", show: ({ channel }) => channel },
    { heading: "STATE", show: ({ state }) => STATES[state] },
    { heading: "NOTICE", show: ({ title }) => title },
    { heading: "ABOUT", show: ({ subject }) => subject, spare: 2 },
    { heading: "WHY", show: ({ reason }) => reason ?? "" },
  ];
  return formatTable(notices, columns, width);
}
