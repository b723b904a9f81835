import type { ServerStep } from "../../sync/git-sync/judge-server.ts";
import type { GitSyncPlan } from "../../sync/git-sync/plan-git-sync.ts";
import type { LeftOutSum } from "../../sync/send/sum-left-out.ts";

/** How a run's code gets to its host. */
export type SyncTerms = RsyncTerms | GitTerms;

/** The files of the project folder are sent as they are; the list of them lies with the plan. */
export interface RsyncTerms {
  readonly kind: "rsync";
  /** The project folder at home. */
  readonly source: string;
  /** `sync_include` and `sync_exclude`, as they were. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Of all that is sent: names, contents, modes. */
  readonly hash: string;
  readonly files: number;
  readonly bytes: number;
  /** Whose list of files it is: git's, or all that lies there. */
  readonly origin: "git" | "folder";
  readonly largest: readonly { readonly path: string; readonly bytes: number }[];
  readonly leftOut: LeftOutSum;
}

/** The code is committed and pushed at home, and pulled on the host. */
export interface GitTerms {
  readonly kind: "git";
  /** The project folder at home. */
  readonly source: string;
  readonly home: GitSyncPlan;
  readonly server: ServerStep;
}
