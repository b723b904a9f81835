import { makePrintable } from "../base/printable.ts";

/**
 * Why our gateway, or our agent, closes a link, as the code of the WebSocket close frame. The challenge documents no
 * codes: the platform's say nothing, and an agent must also understand silence.
 */
export const closeCodes = {
  /** From the agent: drained, all is answered. */
  done: 1000,
  /** From the gateway: it is stopping. */
  stopping: 1001,
  /** A frame that cannot be taken apart. */
  malformed: 1002,
  /** A frame beyond 64 MiB. */
  too_big: 1009,
  /** From the gateway, right after the 101: as many agents are connected as may be. */
  over_cap: 4001,
  /** From the gateway, right after the 101: this pair of job and agent id has a live link already. */
  duplicate: 4002,
  /** From the gateway, right after the 101: the pair came back after its window. */
  pair_expired: 4003,
  /** From the gateway: the job has ended. */
  job_over: 4004,
} as const;

export type CloseWord = keyof typeof closeCodes;

/** What a close frame takes as its reason, in bytes of UTF-8, is 123. */
const MAX_REASON_BYTES = 120;

const wordsByCode: ReadonlyMap<number, CloseWord> = new Map(
  (Object.entries(closeCodes) as [CloseWord, number][]).map(([word, code]) => [code, word]),
);

/** What a close code of the table means; undefined for any other: it says nothing about why. */
export function findCloseWord(code: number): CloseWord | undefined {
  return wordsByCode.get(code);
}

/** A text as the reason of a close frame: printable, and cut to the 120 bytes that surely fit. */
export function makeCloseReason(text: string): string {
  const bytes = new TextEncoder().encode(makePrintable(text));
  if (bytes.length <= MAX_REASON_BYTES) return makePrintable(text);
  // A character that is cut in two is left out rather than shown as a replacement.
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}
