import { checkPlace } from "./check-place.ts";
import type { HandlerOptions, StartedHandler } from "./handler-options.ts";
import { makeSettings } from "./handler-settings.ts";
import { parseHandlerSpec } from "./handler-spec.ts";
import { startWith } from "./handler-worker.ts";
import { startJs } from "./js-handler.ts";
import { startPython } from "./python-handler.ts";

/**
 * Starts a handler; resolves when its module is imported. SortieError `handler_spec_bad`, `handler_not_found`,
 * `handler_no_function`, `handler_unfit`, `handler_syntax`, `handler_import_failed`, `handler_not_started`,
 * `handler_slow`, `handler_died`, `handler_stopped`; nothing is left running then.
 */
export async function startHandler(options: HandlerOptions): Promise<StartedHandler> {
  const parsed = parseHandlerSpec(options.spec, options.cwd);
  checkPlace(parsed, options.spec);
  const settings = makeSettings(options);
  const worker =
    parsed.language === "python" ? await startPython(parsed, settings) : startJs(parsed, settings);
  return startWith(worker, settings);
}
