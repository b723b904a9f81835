import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { describeSendReason } from "../../sync/send/send-rules.ts";
import type { LeftOutGroup } from "../../sync/send/sum-left-out.ts";
import type { RemoteTerms } from "../plan.ts";
import type { GitTerms, RsyncTerms } from "./sync-terms.ts";

/** A line for people, and a word for what it tells of. */
export type SyncRow = readonly [about: "send" | "left out" | "commit", text: string];

/** So many groups or files are named; how many more there are is said. */
const SHOWN = 8;

/** What gets to the host, and what does not. */
export function listSyncRows(remote: RemoteTerms | null): SyncRow[] {
  if (remote === null) return [];
  return remote.sync.kind === "git" ? listCommitted(remote.sync) : listSent(remote.sync);
}

function listSent({ files, bytes, origin, largest, leftOut }: RsyncTerms): SyncRow[] {
  const whose = origin === "git" ? "git's files" : "the folder is not in git";
  const named = largest.slice(0, 3).map((file) => `${file.path} ${formatBytes(file.bytes)}`);
  const sent = `${countOf(files, "file")}, ${formatBytes(bytes)} (${whose}); the largest: ${named.join(", ")}`;
  const shown = leftOut.groups.slice(0, SHOWN).map((group): SyncRow => ["left out", describeGroup(group)]);
  const more = leftOut.groups.length - shown.length;
  return [["send", sent], ...shown, ...(more > 0 ? [["left out", `and ${more} more`] as const] : [])];
}

function describeGroup({ folder, path, files, bytes, reason, exact }: LeftOutGroup): string {
  const place = files === 1 ? path : folder || "at the top";
  const count = files === 1 ? "" : `${countOf(files, "file")}, `;
  return `${place}: ${count}${exact ? "" : "at least "}${formatBytes(bytes)}, ${describeSendReason(reason)}`;
}

function listCommitted({ home: { files } }: GitTerms): SyncRow[] {
  const shown = files.slice(0, SHOWN).map(({ path, status, bytes }): SyncRow => {
    return ["commit", `${path} (${status}${status === "deleted" ? "" : `, ${formatBytes(bytes)}`})`];
  });
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [["commit", `and ${more} more; --json lists them all`] as const] : [])];
}
