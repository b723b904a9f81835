import { describeFault, SortieError } from "../base/error.ts";
import type { AgentJournal } from "./agent-journal.ts";

export type HandlerCall = "load" | "open" | "handle" | "close";

/** What a handler threw at a call, as an error with a trace; its own where it is one already. */
export function toHandlerFault(thrown: unknown, call: HandlerCall): SortieError {
  if (thrown instanceof SortieError) return thrown;
  const trace = thrown instanceof Error ? thrown.stack : undefined;
  return new SortieError("handler_fault", { call, reason: describeFault(thrown), trace }, thrown);
}

/** Counts and tells a fault of the handler. That it is gone is none of one session: the end of the agent tells it. */
export function tellFault(journal: AgentJournal, sessionId: string, fault: SortieError) {
  if (fault.code === "handler_died" || fault.code === "handler_stopped") return;
  journal.counts.handlerFaults += 1;
  journal.record("fault", { sessionId, detail: fault.message });
  const trace = fault.details["trace"];
  const lines = typeof trace === "string" ? `${fault.message}\n${trace}` : fault.message;
  journal.logSome(`fault ${fault.message}`, "error", lines);
}

/** What a handler returned, if it is bytes; SortieError `reply_no_bytes`. */
export function checkBytes(reply: unknown): Uint8Array {
  if (reply instanceof Uint8Array) return reply;
  const kind = reply === null ? "null" : Array.isArray(reply) ? "a list" : `a value of type ${typeof reply}`;
  throw new SortieError("reply_no_bytes", { kind });
}
