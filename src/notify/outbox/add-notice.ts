import type { Clock } from "../../base/clock.ts";
import { makeNoticeKey, type Notice } from "../notice.ts";
import { redactNotice } from "../redact-notice.ts";
import type { Outbox } from "./outbox.ts";

/** Notices of many runs that start or end together go out as one when they gather within this time. */
const GATHER_MS = 3_000;

/**
 * Puts a notice into the outbox once for each channel, without the secrets that the caller knows of and without what looks
 * like one; the channels that it is new to. No channel: nothing is done.
 */
export function addNotice(
  outbox: Outbox,
  {
    notice,
    channels,
    secrets,
    clock,
  }: {
    readonly notice: Notice;
    readonly channels: readonly string[];
    readonly secrets: readonly string[];
    readonly clock: Clock;
  },
): string[] {
  if (channels.length === 0) return [];
  const addedAtMs = clock.now().getTime();
  const dueAtMs = addedAtMs + (notice.kind === "experiment_done" ? GATHER_MS : 0);
  // The key is made of the notice as it was: hiding must not make two events one.
  const entry = { key: makeNoticeKey(notice), notice: redactNotice(notice, secrets), addedAtMs, dueAtMs };
  return channels.filter((channel) => outbox.add({ channel, ...entry }));
}
