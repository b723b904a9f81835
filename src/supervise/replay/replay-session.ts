import type { Clock } from "../../base/clock.ts";
import { formatDuration } from "../../base/duration.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { isWithin } from "../../base/is-within.ts";
import { readRecording } from "../../gateway/recording/read-recording.ts";
import type { Percentiles } from "../../tunnel/agent-report.ts";
import { TimeCounter } from "../../tunnel/percentiles.ts";
import type { FrameHandler } from "../../wire/handler.ts";
import type { RecordingFrame, RecordingInfo } from "../../wire/recording.ts";
import { encodeSessionId } from "../../wire/session-id.ts";
import {
  compareActions,
  type DifferencePlace,
  type FirstDifference,
  type Largest,
} from "./compare-actions.ts";

/** What became of a session that was played again. */
export interface SessionReplay {
  readonly file: string;
  readonly info: RecordingInfo;
  /** Observations that the handler was given. */
  readonly observations: number;
  /** Actions that were compared: the handler's, and the recording's. */
  readonly compared: number;
  readonly equal: number;
  readonly different: number;
  /** Observations that the recording has no action for, since its case ended there. */
  readonly unanswered: number;
  /** Calls that the handler failed in. */
  readonly faults: number;
  readonly firstFault: { readonly step: number; readonly message: string } | null;
  /** `step` counts the observations from 1. */
  readonly firstDifference: (FirstDifference & { readonly step: number }) | null;
  /** Over all actions. */
  readonly largest: Largest;
  /** Milliseconds from observation to action. Null where there is none. */
  readonly latency: { readonly recorded: Percentiles | null; readonly replayed: Percentiles | null };
  /** The recording was cut off: what it holds was played. */
  readonly isTorn: boolean;
  /** The handler took too long in it, or is gone: it plays no further, and no other session. */
  readonly isLast: boolean;
  /** No action differs, and the handler did not fail. */
  readonly passed: boolean;
}

export interface ReplayTerms {
  /** How far apart numbers may be. */
  readonly tolerance: number;
  /** How long one call may take. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Gives a handler the observations of a recording, in their order and under the same session id, and compares its actions
 * with those that were recorded. A handler that fails in a call goes on, as it does behind an agent; one that takes too long
 * or is gone plays no further. @throws SortieError `recording_bad`, `file_unreadable`, `interrupted`
 */
export async function replaySession(
  file: string,
  handler: FrameHandler,
  terms: ReplayTerms,
): Promise<SessionReplay> {
  const play = new SessionPlay(handler, terms);
  for await (const part of readRecording(file)) {
    if (part.type === "info") await play.open(part.info);
    else if (part.type === "observation") await play.observe(part);
    else if (part.type === "action") play.compare(part);
    else if (part.type === "torn") play.isTorn = true;
    if (terms.signal.aborted) throw new SortieError("interrupted");
    if (play.isLast) break;
  }
  await play.close();
  if (terms.signal.aborted) throw new SortieError("interrupted");
  return { file, ...play.tell() };
}

/** One session between a recording and a handler. */
class SessionPlay {
  isTorn = false;
  /** The handler plays no further. */
  isLast = false;
  readonly #handler: FrameHandler;
  readonly #terms: ReplayTerms;
  readonly #latency = { recorded: new TimeCounter(), replayed: new TimeCounter() };
  readonly #largest: Partial<Record<DifferencePlace, number>> = {};
  #info: RecordingInfo | undefined;
  #observations = 0;
  #answered = 0;
  #equal = 0;
  #different = 0;
  #faults = 0;
  #firstFault: SessionReplay["firstFault"] = null;
  #firstDifference: SessionReplay["firstDifference"] = null;
  #askedUs = 0;
  /** The handler's, until the recorded one is compared with it. */
  #action: Uint8Array | undefined;

  constructor(handler: FrameHandler, terms: ReplayTerms) {
    this.#handler = handler;
    this.#terms = terms;
  }

  async open(info: RecordingInfo): Promise<void> {
    this.#info = info;
    await this.#call(this.#handler.open(encodeSessionId(info.sessionId)));
  }

  async observe({ sid, payload, timeUs }: RecordingFrame): Promise<void> {
    this.#observations += 1;
    this.#askedUs = timeUs;
    const { clock } = this.#terms;
    const startedAtMs = clock.monotonicMs();
    this.#action = await this.#call(this.#handler.handle(sid, payload));
    if (this.#action !== undefined) this.#latency.replayed.add(clock.monotonicMs() - startedAtMs);
  }

  compare({ payload, timeUs }: RecordingFrame): void {
    this.#answered += 1;
    this.#latency.recorded.add((timeUs - this.#askedUs) / 1000);
    if (this.#action === undefined) return;
    const { isEqual, first, largest } = compareActions(payload, this.#action, this.#terms.tolerance);
    this.#action = undefined;
    if (isEqual) this.#equal += 1;
    else this.#different += 1;
    if (first !== null) this.#firstDifference ??= { step: this.#observations, ...first };
    for (const [place, distance] of Object.entries(largest) as [DifferencePlace, number][])
      this.#largest[place] = Math.max(this.#largest[place] ?? 0, distance);
  }

  async close(): Promise<void> {
    if (this.isLast || this.#info === undefined) return;
    await this.#call(this.#handler.close(encodeSessionId(this.#info.sessionId)));
  }

  tell(): Omit<SessionReplay, "file"> {
    return {
      info: this.#info as RecordingInfo,
      ...{ observations: this.#observations, compared: this.#equal + this.#different },
      ...{ equal: this.#equal, different: this.#different },
      unanswered: this.isLast ? 0 : this.#observations - this.#answered,
      ...{ faults: this.#faults, firstFault: this.#firstFault },
      ...{ firstDifference: this.#firstDifference, largest: this.#largest },
      latency: { recorded: this.#latency.recorded.read(), replayed: this.#latency.replayed.read() },
      ...{ isTorn: this.isTorn, isLast: this.isLast },
      passed: this.#different === 0 && this.#faults === 0,
    };
  }

  /** Waits for a call within its time; undefined where it failed, which is noted. */
  async #call<Result>(result: Promise<Result>): Promise<Result | undefined> {
    const { timeoutMs, clock } = this.#terms;
    try {
      if (await isWithin(result, timeoutMs, clock)) return await result;
      this.isLast = true;
      this.#noteFault(`it took longer than ${formatDuration(timeoutMs / 1000)} (--timeout), and was stopped`);
    } catch (fault) {
      const isGone = fault instanceof SortieError && ["handler_died", "handler_stopped"].includes(fault.code);
      this.isLast ||= isGone;
      this.#noteFault(describeFault(fault));
    }
    return undefined;
  }

  #noteFault(message: string): void {
    this.#faults += 1;
    this.#firstFault ??= { step: this.#observations, message };
  }
}
