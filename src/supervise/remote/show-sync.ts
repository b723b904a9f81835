import { describeSend } from "../../sync/send/describe-send.ts";
import type { PlanTerms } from "../plan.ts";

/** What is sent to the host and what is not, in lines for people; what git does is among the plan's side effects. */
export function listSent({ remote, modal }: Pick<PlanTerms, "remote" | "modal">): string[] {
  if (modal?.sent) return describeSend(modal.sent);
  return remote?.sync.kind === "rsync" ? describeSend(remote.sync) : [];
}
