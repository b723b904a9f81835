import type { HandlerOptions, StartedHandler } from "./handler-options.ts";
import { parseHandlerSpec } from "./handler-spec.ts";
import { startJsHandler } from "./js-handler.ts";
import { startPythonHandler } from "./python-handler.ts";

/**
 * Starts a handler; resolves when its module is imported. SortieError `handler_spec_bad`, `handler_not_found`,
 * `handler_no_function`, `handler_unfit`, `handler_syntax`, `handler_import_failed`, `handler_not_started`,
 * `handler_slow`, `handler_died`; nothing is left running then.
 */
export async function startHandler(options: HandlerOptions): Promise<StartedHandler> {
  const spec = parseHandlerSpec(options.spec, options.cwd);
  if (spec.language === "python") return startPythonHandler(spec, options);
  return startJsHandler(spec, options);
}
