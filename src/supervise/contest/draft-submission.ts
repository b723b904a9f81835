import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { loadQuota, loadUser, type Quota } from "../../challenge/api/account.ts";
import { boardNames, checkSubmission } from "../../challenge/check-submission.ts";
import type { Condition } from "../actions/action-plan.ts";
import { checkStateFile } from "./check-state-file.ts";
import { loadBoardNames } from "./load-boards.ts";
import { describeHandle, type Handle, loadHandle } from "./load-handle.ts";
import type { Contest } from "./open-contest.ts";

export interface SubmissionWish {
  /** Default: made of model, board and time. */
  readonly name?: string | undefined;
  readonly board: string;
  readonly modelName: string;
  readonly description?: string | undefined;
  readonly paperLink?: string | undefined;
}

export interface SubmissionTerms {
  readonly baseUrl: string;
  readonly name: string;
  readonly board: string;
  readonly modelName: string;
  readonly description: string | null;
  readonly paperLink: string | null;
}

export type SubmissionCondition = Condition &
  (
    | { readonly kind: "account"; readonly name: string }
    | ({ readonly kind: "quota" } & Quota)
    /** The job whose handle the state file holds, and whether it goes on. */
    | { readonly kind: "handle"; readonly uuid: string | null; readonly isLive: boolean }
  );

/** All of a submission that must be known before it is confirmed; no secret is part of it. */
export interface SubmissionDraft {
  readonly terms: SubmissionTerms;
  readonly restsOn: readonly SubmissionCondition[];
  readonly notes: readonly string[];
  readonly sideEffects: readonly string[];
  readonly quota: Quota;
  /** Agents that the account may run at once; null: the API does not say. */
  readonly parallelism: number | null;
}

/**
 * Checks the body here first, reads the quota just now, and says what submitting costs and changes. Nothing is sent.
 * @throws challenge_submission_wrong, contest_quota_spent, contest_parallelism_zero, state_file_unreadable, state_file_broken
 */
export async function draftSubmission(contest: Contest, wish: SubmissionWish): Promise<SubmissionDraft> {
  const terms = await makeTerms(contest, wish);
  checkStateFile(contest);
  const { user, quota, handle } = await loadGround(contest);
  const { limit, used, remaining } = quota;
  if (remaining < 1) throw new SortieError("contest_quota_spent", { used, limit });
  if (user.maxConcurrentCases === 0)
    throw new SortieError("contest_parallelism_zero", { user: quoteInput(user.name) });
  return {
    terms,
    restsOn: [
      { kind: "account", name: user.name },
      { kind: "quota", limit, used, remaining },
      { kind: "handle", uuid: handle?.uuid ?? null, isLive: handle?.isLive ?? false },
    ],
    notes: makeNotes(handle),
    sideEffects: describeEffects(contest, terms, quota, handle),
    quota: { limit, used, remaining },
    parallelism: user.maxConcurrentCases,
  };
}

/** What no longer holds of what a draft rests on, in words; all of it is read anew. */
export async function findSubmissionChanges(
  contest: Contest,
  restsOn: readonly SubmissionCondition[],
): Promise<string[]> {
  checkStateFile(contest);
  const ground = await loadGround(contest);
  return restsOn.flatMap((condition) => describeChange(condition, ground) ?? []);
}

type Ground = Awaited<ReturnType<typeof loadGround>>;

/** One after the other: the first call is the one that may renew the login. */
async function loadGround(contest: Contest) {
  const user = await loadUser(contest.session);
  const [quota, handle] = await Promise.all([loadQuota(contest.session), loadHandle(contest)]);
  return { user, quota, handle };
}

async function makeTerms(contest: Contest, wish: SubmissionWish): Promise<SubmissionTerms> {
  const { desk, session } = contest;
  const { board, modelName, description, paperLink } = wish;
  // By its name it is found again: a server may take the blanks off.
  const name = wish.name?.trim() ?? makeName(wish, desk.clock.now());
  // Other organisers have boards of their own; those of the challenge are known here.
  const boards = boardNames.some((known) => known === board) ? boardNames : await loadBoardNames(contest);
  checkSubmission({ name, board, modelName, description, paperLink }, boards);
  return {
    ...{ baseUrl: session.baseUrl, name, board, modelName },
    ...{ description: description || null, paperLink: paperLink || null },
  };
}

/** One that no other job has: by it a job is found again whose reply was lost. */
function makeName({ modelName, board }: SubmissionWish, now: Date): string {
  const time = now
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replaceAll(/[-:]/g, "")
    .replace("T", "-");
  return `${modelName.trim().slice(0, 60)}-${board}-${time}`;
}

function describeEffects(
  { state }: Contest,
  { name, board, modelName, baseUrl }: SubmissionTerms,
  { limit, used, remaining }: Quota,
  handle: Handle | null,
): string[] {
  const replaced = handle?.isLive
    ? [
        `replace ${describeHandle(handle)} as the current one in ${state.path}: it goes on, and so do its agents; its handle stays among the known jobs`,
      ]
    : [];
  return [
    `submit ${quoteInput(name)} to board ${board}, model ${quoteInput(modelName)}, at ${baseUrl}`,
    `use 1 submission of the ${remaining} that are left (${used} of ${limit} are used)`,
    ...replaced,
    `write the job's variables to ${state.path}`,
  ];
}

function makeNotes(handle: Handle | null): string[] {
  if (!handle?.isLive) return [];
  const unsure =
    handle.state === null ? ["whether that job goes on could not be asked: it counts as live"] : [];
  return [`warning: ${describeHandle(handle)} is the current job and has not ended`, ...unsure];
}

function describeChange(condition: SubmissionCondition, { user, quota, handle }: Ground): string | undefined {
  switch (condition.kind) {
    case "account":
      return user.name === condition.name
        ? undefined
        : `the login is ${quoteInput(user.name)}'s now, and was ${quoteInput(condition.name)}'s`;
    case "quota":
      // More of them than told harms nobody.
      return quota.remaining >= condition.remaining
        ? undefined
        : `submissions that are left: ${quota.remaining} now, and ${condition.remaining} when it was planned`;
    case "handle":
      if (!handle?.isLive || handle.uuid === condition.uuid) return undefined;
      return `the current job is ${describeHandle(handle)} now`;
  }
}
