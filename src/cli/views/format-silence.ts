import { formatDollars } from "../../base/dollars.ts";
import { wrapText } from "../../base/wrap.ts";
import type { RunSummary } from "../../supervise/find-runs.ts";
import { describeHost } from "../../supervise/host-name.ts";
import { formatSpan } from "./format-time.ts";

type Unseen = Pick<RunSummary, "host" | "silence" | "observedAt">;

/** What is told otherwise than `does not answer`, by the code of the fault. */
const WORDS: Readonly<Record<string, string>> = {
  ssh_auth_refused: "does not let you in",
  ssh_host_key_changed: "shows another host key than before",
  ssh_host_key_unknown: "shows a host key that is not on record",
  ssh_shell_silent: "lets you in, but runs nothing",
  instance_down: "does not run",
  instance_stopped: "is stopped",
  instance_away: "is not in the account any more",
  host_replaced: "is another machine or container now",
};

/** `my-gpu-server does not answer`. */
export function describeSilence({ host = "its host", silence }: Unseen): string {
  const words = (silence && WORDS[silence.code]) ?? "does not answer";
  return silence ? `${describeHost(host)} ${words}` : "its host does not answer";
}

/** The age of the last news: `not seen for 4 min`. */
export function formatUnseen({ observedAt }: Unseen, now: Date): string {
  return observedAt === null ? "never seen" : `not seen for ${formatSpan(observedAt, now)}`;
}

/** What a rented machine has cost since the last news of it: `about $0.42 since`; null: it is none, or costs nothing. */
export function formatCostSince({ silence, observedAt }: Unseen, now: Date): string | null {
  if (!silence?.dollarsPerHour || observedAt === null) return null;
  const hours = Math.max(0, now.getTime() - Date.parse(observedAt)) / 3_600_000;
  return `about ${formatDollars(hours * silence.dollarsPerHour)} since the last news of it`;
}

/** For each host that does not answer a line that says why, one that says what it has cost since, and one what to do. */
export function formatSilences(
  runs: readonly (Unseen & Pick<RunSummary, "reachable">)[],
  now: Date,
  width: number,
): string[] {
  const silent = runs.filter(({ reachable, silence }) => !reachable && silence);
  const told = new Map(silent.map((run) => [run.silence?.reason ?? "", run]));
  return [...told].flatMap(([reason, run]) => {
    const cost = formatCostSince(run, now);
    return [
      ...wrapText(reason, width, "  "),
      ...(cost === null ? [] : [`    ${cost}`]),
      ...wrapText(run.silence?.hint ?? "", width, "    "),
    ];
  });
}
