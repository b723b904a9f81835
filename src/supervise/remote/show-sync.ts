import { describeSend } from "../../sync/send/describe-send.ts";
import type { RemoteTerms } from "../plan.ts";

/** What is sent to the host and what is not, in lines for people; what git does is among the plan's side effects. */
export function listSent(remote: RemoteTerms | null | undefined): string[] {
  return remote?.sync.kind === "rsync" ? describeSend(remote.sync) : [];
}
