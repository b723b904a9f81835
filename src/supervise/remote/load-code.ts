import { SortieError } from "../../base/error.ts";
import { listResultTops } from "../../sync/send/freeze-code.ts";
import { makeManifest } from "../../sync/send/manifest.ts";
import { makePathList } from "../../sync/send/send-list.ts";
import type { SentCode, Target, Transfer } from "../../targets/target.ts";
import type { Desk } from "../desk.ts";
import type { RemoteTerms } from "../plan.ts";
import { pullCode } from "./pull-code.ts";
import { loadSend } from "./sent-files.ts";
import type { Bringing, RsyncTerms } from "./sync-terms.ts";

/** The code of a plan, on its way to a host. */
export interface RemoteCode {
  /** Brings it there, and tells what must lie there before the run starts. A second call goes on where the first was cut. */
  bring(target: Target, options: BringOptions): Promise<SentCode>;
}

export interface BringOptions {
  readonly onProgress?: ((transfer: Transfer) => void) | undefined;
  /** What is there is not judged by its size and time. */
  readonly byContent?: boolean;
  /** Called before each step that leaves something behind at home. */
  readonly beforeStep?: ((step: "commit" | "push") => void) | undefined;
}

/** What of a plan is about code. */
export interface CodePlan {
  readonly id: string;
  readonly remote: RemoteTerms;
  /** Patterns of the results, which are not code. */
  readonly results: readonly string[];
}

/** As it was planned: the list of files lies with the plan. @throws plan_stale when that is gone */
export function loadCode(desk: Desk, { id, remote, results }: CodePlan): RemoteCode {
  const without = listResultTops(results);
  const { sync } = remote;
  if (sync.kind === "git") {
    const bringing = { sync, remote, without };
    return { bring: (target, { beforeStep }) => pullCode(desk, target, bringing, beforeStep) };
  }
  return bringByRsync(desk, id, { sync, remote, without });
}

function bringByRsync(
  desk: Desk,
  planId: string,
  { sync, remote, without }: Bringing<RsyncTerms>,
): RemoteCode {
  const { codeDir, freeze } = remote;
  const files = loadSend(desk, planId, sync.hash);
  const list = makePathList(files);
  return {
    async bring(target, options) {
      if (target.send === null) throw new SortieError("target_unsupported", { kind: target.kind });
      const { onProgress } = isLong(sync) ? options : {};
      const { byContent = false } = options;
      await target.send({ source: sync.source, codeDir, list, byContent }, { onProgress });
      return {
        codeDir,
        commit: null,
        manifest: makeManifest(files),
        freeze: freeze ? { list, without } : null,
      };
    },
  };
}

/** Less is sent before anybody could read how far it is. */
function isLong({ bytes, files }: RsyncTerms): boolean {
  return bytes > 8_000_000 || files > 2000;
}
