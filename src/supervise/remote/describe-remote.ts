import { formatBytes } from "../../base/bytes.ts";
import { formatDuration } from "../../base/duration.ts";
import { describeSshHost } from "../../process/ssh/ssh-host.ts";
import { describeGitSync, describeServerStep } from "../../sync/git-sync/describe-git-sync.ts";
import { formatCount } from "../../sync/send/format-count.ts";
import type { ServerFacts } from "../../targets/target.ts";
import type { RemoteTerms } from "../plan.ts";

/** A clock that is further off makes times at home and there hard to compare. */
const SKEW_S = 60;

/** What confirming does to the code, at home and on the host. */
export function describeSync({ sync, codeDir, freeze }: RemoteTerms, host: string): string[] {
  const copy = freeze ? ["copy that code into the job folder: the command starts in the copy"] : [];
  if (sync.kind === "git") {
    const { home, server } = sync;
    return [...describeGitSync(home), describeServerStep(home, server, { host, codeDir }), ...copy];
  }
  const files = `${formatCount(sync.files)} ${sync.files === 1 ? "file" : "files"}`;
  return [
    `send ${files} (${formatBytes(sync.bytes)}) to ${host}:${codeDir} by rsync; nothing there is deleted`,
    ...copy,
  ];
}

/**
 * What a person should know of the host before saying yes. A copy of its own keeps this run from changes to come, and those
 * that run in the code folder from none.
 * @param known the live runs on record, for their names
 */
export function describeRemoteNotes(
  remote: RemoteTerms | null | undefined,
  server: ServerFacts | null,
  known: readonly { readonly id: string; readonly name: string }[],
): string[] {
  if (!remote || server === null) return [];
  const users = server.liveRuns.map((id) => known.find((run) => run.id === id)?.name ?? id);
  const { banner, clockSkewS, killsAtLogout } = server;
  const host = describeSshHost(remote.address);
  const skew = formatDuration(Math.abs(clockSkewS));
  return [
    ...(users.length > 0
      ? [
          `the code folder is in use by ${users.join(", ")}, which will see the new code; what is started with --freeze runs in a copy of its own`,
        ]
      : []),
    ...(banner === null ? [] : [`the shell of ${host} prints "${banner}" at every command; it is skipped`]),
    ...(Math.abs(clockSkewS) > SKEW_S
      ? [`the clock of ${host} is ${skew} ${clockSkewS < 0 ? "behind" : "ahead"}`]
      : []),
    ...(server.tools["screen"] === undefined
      ? [`${host} has no screen: the run is detached in a plain session, without a window to look into`]
      : []),
    ...(killsAtLogout === "no_way_round"
      ? [
          `${host} ends what you started when you log out (KillUserProcesses), and there is no systemd-run: ask its administrator for lingering`,
        ]
      : []),
  ];
}
