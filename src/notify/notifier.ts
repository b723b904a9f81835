import { SortieError } from "../base/error.ts";
import type { Digest, Notice } from "./notice.ts";

/** One way to tell a person something. */
export interface Notifier {
  /** `feishu`, `webhook`, `desktop`: the outbox keeps a notice once for each. */
  readonly channel: string;
  /** How often it may be used; all of them hold. */
  readonly limits: readonly PaceLimit[];
  /** Says how it went and never throws; it ends within ten seconds, at once when the signal aborts. */
  send(notice: Notice | Digest, signal?: AbortSignal): Promise<SendOutcome>;
}

/** At most `calls` in any `withinMs`. */
export interface PaceLimit {
  readonly calls: number;
  readonly withinMs: number;
}

/**
 * `busy`: it surely did not go out, and may later. `refused`: it surely did not, and won't until something is changed.
 * `unsure`: it was sent and no answer that can be read came back, so that sending it again might tell it twice.
 */
export type SendOutcome =
  | { readonly state: "sent" }
  | { readonly state: "busy"; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly state: "refused"; readonly reason: string }
  | { readonly state: "unsure"; readonly reason: string };

export type Unsent = Exclude<SendOutcome, { state: "sent" }>;

/** `notify_not_sent`, `notify_refused` or `notify_unsure`. */
export function makeUnsentFault(
  channel: string,
  { state, reason }: Pick<Unsent, "state" | "reason">,
): SortieError {
  const code = { busy: "notify_not_sent", refused: "notify_refused", unsure: "notify_unsure" } as const;
  return new SortieError(code[state], { channel, reason });
}
