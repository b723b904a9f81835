import { makeToken } from "../../base/ids.ts";
import { isProcessAlive, type ProcessIdentity } from "../../process/identity.ts";
import type { Desk } from "../desk.ts";
import type { SubmissionTerms } from "./draft-submission.ts";

/** A submission that is about to be sent: what is looked for later where whoever sent it never came back. */
export interface SubmissionIntent {
  readonly id: string;
  readonly terms: SubmissionTerms;
  /** Jobs that had this name before. */
  readonly before: readonly number[];
  readonly by: ProcessIdentity;
  readonly at: string;
}

/** Stands where the UUID of a known job does. */
const INTENT_PREFIX = "intent-";

/** On disk before anything is sent. Its id. */
export function recordIntent(desk: Desk, terms: SubmissionTerms, before: readonly number[]): string {
  const id = `${INTENT_PREFIX}${makeToken()}`;
  const at = desk.clock.now().toISOString();
  const intent: SubmissionIntent = { id, terms, before, by: desk.identity, at };
  desk.store.change(
    "INSERT INTO challenge_jobs (uuid, base_url, created_at, body) VALUES (?, ?, ?, ?)",
    ...[id, terms.baseUrl, at, JSON.stringify(intent)],
  );
  return id;
}

export function dropIntent(desk: Desk, id: string): void {
  desk.store.change("DELETE FROM challenge_jobs WHERE uuid = ?", id);
}

/** Those of commands that are dead. */
export function listLeftIntents(desk: Desk, baseUrl: string): SubmissionIntent[] {
  return desk.store
    .list("SELECT body FROM challenge_jobs WHERE base_url = ? AND uuid LIKE 'intent-%'", baseUrl)
    .map((row) => JSON.parse(row["body"] as string) as SubmissionIntent)
    .filter(({ by }) => isProcessAlive(by) === false);
}
