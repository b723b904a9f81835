import { makePrintable } from "../base/printable.ts";
import type { RunRecord } from "../supervise/find-runs.ts";
import type { Io } from "./io.ts";
import { describeSilence, formatUnseen } from "./views/format-silence.ts";

type Unseen = Pick<RunRecord, "name" | "host" | "silence" | "observedAt">;

/** The host of a log does not answer: what is shown is what had come of it by then. */
export function warnOfCopy(io: Io, run: Unseen, now: Date): void {
  io.warn(
    makePrintable(
      `${describeSilence(run)} (${formatUnseen(run, now)}): this is what had come of the log by then.`,
    ),
  );
}

/** Somebody goes on looking for a run whose host does not answer. */
export function describeWait(run: Unseen): string {
  return makePrintable(
    `${describeSilence(run)} now. ${run.name} goes on there; its host is asked again and again.`,
  );
}
