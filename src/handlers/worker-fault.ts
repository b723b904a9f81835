import { SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { isShape, isText, parseJson } from "../base/shape.ts";
import type { WorkerFrame } from "../wire/worker-frame.ts";

export type HandlerCall = "load" | "open" | "close" | "handle";

/** What a worker is doing, for the sentence about its end. */
export type WorkerActivity = "while it was imported" | "while it was idle" | `in ${HandlerCall}`;

/** The JSON of a fault frame; what else stands in it depends on the kind. */
export interface WorkerFault {
  readonly kind: string;
  readonly message: string;
  readonly trace: string;
  readonly [field: string]: unknown;
}

const isWorkerFault = isShape<WorkerFault>({ kind: isText, message: isText, trace: isText });

export function readWorkerFault({ payload }: WorkerFrame): WorkerFault {
  const fault = parseJson(new TextDecoder().decode(payload), isWorkerFault);
  return fault ?? { kind: "unreadable", message: "its report cannot be read", trace: "" };
}

/** The error of one failed call, whose trace the worker has printed already. */
export function makeCallError(call: HandlerCall, { kind, message, trace }: WorkerFault): SortieError {
  const reason = shorten(message);
  return new SortieError("handler_fault", { call, reason, kind, trace: makePrintable(trace) });
}

export function makeDeath(when: WorkerActivity, end: string): SortieError {
  return new SortieError("handler_died", { when, end });
}

/** One printable line. */
export function shorten(text: string): string {
  const line = makePrintable(text).split("\n", 1)[0] as string;
  return line.length <= 500 ? line : `${line.slice(0, 500)}…`;
}
