import type { RemotePlace } from "../../runs/run-record.ts";
import type { ServerStep } from "../../sync/git-sync/judge-server.ts";
import type { GitSyncPlan } from "../../sync/git-sync/plan-git-sync.ts";
import type { SendSummary } from "../../sync/send/describe-send.ts";

/** How a run's code gets to its host. */
export type SyncTerms = RsyncTerms | GitTerms;

/** The files of the project folder are sent as they are; the list of them lies with the plan. */
export interface RsyncTerms extends SendSummary {
  readonly kind: "rsync";
  /** `sync_include` and `sync_exclude`, as they were. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The code is committed and pushed at home, and pulled on the host. */
export interface GitTerms {
  readonly kind: "git";
  /** The project folder at home. */
  readonly source: string;
  readonly home: GitSyncPlan;
  readonly server: ServerStep;
}

/** A way for code to get to a host, with what both ways need. */
export interface Bringing<Sync extends SyncTerms> {
  readonly sync: Sync;
  readonly remote: RemotePlace & { readonly freeze: boolean };
  /** Names at the top of the code folder that results are written to. */
  readonly without: readonly string[];
}
