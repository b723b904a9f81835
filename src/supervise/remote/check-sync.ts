import type { Rewrite } from "../../sync/rewrite.ts";
import type { Desk } from "../desk.ts";
import type { PlanTerms } from "../plan.ts";

/** Whether what is sent is still what was shown; null: it is, or nothing is sent. */
export async function checkSync(
  desk: Desk,
  { remote, request }: PlanTerms,
  rewrite: Rewrite | null = null,
): Promise<string | null> {
  if (!remote) return null;
  const { sync } = remote;
  const { draftSync } = await import("./draft-sync.ts"); // its rules are not needed where nothing is sent
  const now = await draftSync(desk, request, { ...sync, rewrite });
  if (now.kind === "git" && sync.kind === "git") {
    const isSame = now.home.tree === sync.home.tree && now.home.head === sync.home.head;
    return isSame ? null : "what would be committed and pushed is not what was shown";
  }
  if (now.kind === "rsync" && sync.kind === "rsync") {
    return now.send.hash === sync.hash ? null : "the files that would be sent changed";
  }
  return "the code gets to its host in another way now";
}
