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

/** For each host that does not answer a line that says why, and one that says what to do. */
export function formatSilences(
  runs: readonly Pick<RunSummary, "reachable" | "silence">[],
  width: number,
): string[] {
  const silent = runs.filter(({ reachable, silence }) => !reachable && silence);
  const told = new Map(silent.flatMap(({ silence }) => (silence ? [[silence.reason, silence.hint]] : [])));
  return [...told].flatMap(([reason, hint]) => [
    ...wrapText(reason, width, "  "),
    ...wrapText(hint, width, "    "),
  ]);
}
