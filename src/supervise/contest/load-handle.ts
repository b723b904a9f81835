import { toSortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { findJob } from "../../challenge/api/jobs.ts";
import { isSameOrigin } from "../../challenge/base-url.ts";
import { findJobOfFile, type NamedJob } from "./current-job.ts";
import { findKnownJob } from "./known-jobs.ts";
import { loadReport } from "./load-report.ts";
import type { Contest } from "./open-contest.ts";

/** The job whose handle the state file holds. */
export interface Handle {
  readonly id: number | null;
  readonly uuid: string | null;
  readonly name: string | null;
  /** null: it could not be asked. */
  readonly state: string | null;
  /** A job that could not be asked counts as live: its handle may be the only one. */
  readonly isLive: boolean;
}

/** null: the file holds none, or one that the challenge does not know. */
export async function loadHandle(contest: Contest): Promise<Handle | null> {
  const named = findJobOfFile(contest.state);
  if (named === null) return null;
  if (isElsewhere(contest, named)) return { ...named, name: null, state: null, isLive: true };
  try {
    const job = await findJob(contest.session, named.uuid ?? named.id ?? "");
    if (job === null) return null;
    const { id, uuid, name, state, isTerminal } = await loadReport(contest, job);
    return { id, uuid, name, state, isLive: !isTerminal };
  } catch (fault) {
    const { retryable } = toSortieError(fault);
    if (!retryable) throw fault;
    return { ...named, name: null, state: null, isLive: true };
  }
}

/** A job of another challenge cannot be asked for here. */
function isElsewhere({ desk, session, state }: Contest, { uuid }: NamedJob): boolean {
  const known = uuid === null ? null : findKnownJob(desk, { uuid });
  const address = known?.baseUrl ?? state.values.BASE_URL ?? session.baseUrl;
  return !isSameOrigin(address, session.baseUrl);
}

/** `job 12 "night run" (waiting for agent)`. */
export function describeHandle({ id, uuid, name, state }: Handle): string {
  const named = name === null ? "" : ` ${quoteInput(name)}`;
  return `job ${id ?? uuid}${named}${state === null ? "" : ` (${state.replaceAll("_", " ")})`}`;
}
