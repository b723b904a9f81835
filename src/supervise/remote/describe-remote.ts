import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { formatDuration } from "../../base/duration.ts";
import { describeGitSync, describeServerStep } from "../../sync/git-sync/describe-git-sync.ts";
import type { ServerFacts } from "../../targets/target.ts";
import type { RemoteTerms } from "../plan.ts";

/** A clock that is further off makes times at home and there hard to compare. */
const SKEW_S = 60;

/** What confirming does to the code, at home and on the host. */
export function describeSync({ sync, codeDir, freeze }: RemoteTerms, host: string): string[] {
  const copy = freeze ? ["start it in a copy of the code, in the job folder"] : [];
  if (sync.kind === "git") {
    const { home, server } = sync;
    return [...describeGitSync(home), describeServerStep(home, server, { host, codeDir }), ...copy];
  }
  const size = `${countOf(sync.files, "file")}, ${formatBytes(sync.bytes)}`;
  return [`send ${size} to ${host}:${codeDir} by rsync; nothing there is deleted`, ...copy];
}

/** What a person should know of the host before saying yes. */
export function describeRemoteNotes(
  remote: RemoteTerms | null | undefined,
  server: ServerFacts | null,
): string[] {
  if (!remote || server === null) return [];
  const { liveRuns, banner, clockSkewS, killsAtLogout, hostName } = server;
  const skew = formatDuration(Math.abs(clockSkewS));
  return [
    ...(liveRuns.length > 0 && !remote.freeze
      ? [
          `the code folder is in use by ${liveRuns.join(", ")}: they will see the new files; --freeze makes a copy for this run`,
        ]
      : []),
    ...(banner === null
      ? []
      : [`the shell of ${hostName} prints "${banner}" at every command; it is skipped`]),
    ...(Math.abs(clockSkewS) > SKEW_S
      ? [`the clock of ${hostName} is ${skew} ${clockSkewS < 0 ? "behind" : "ahead"}`]
      : []),
    ...(killsAtLogout === "no_way_round"
      ? [
          `${hostName} ends what you started when you log out (KillUserProcesses), and there is no systemd-run: ask its administrator for lingering`,
        ]
      : []),
  ];
}
