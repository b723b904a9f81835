import { describeFault, SortieError } from "../base/error.ts";
import type { HandlerCall } from "./handler-line.ts";

/** What a handler threw at a call, as an error with a trace; its own where it is one already. */
export function toHandlerFault(thrown: unknown, call: HandlerCall): SortieError {
  if (thrown instanceof SortieError) return thrown;
  const trace = thrown instanceof Error ? thrown.stack : undefined;
  return new SortieError("handler_fault", { call, reason: describeFault(thrown), trace }, thrown);
}
