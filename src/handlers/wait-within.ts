import { formatDuration } from "../base/duration.ts";
import { SortieError } from "../base/error.ts";
import { isWithin } from "../base/is-within.ts";
import type { HandlerSettings } from "./handler-settings.ts";

/** The result, or SortieError `handler_slow` where it takes longer than a handler may to be ready. */
export async function waitWithin<Result>(
  result: Promise<Result>,
  done: "imported" | "loaded",
  { spec, loadTimeoutMs, clock }: HandlerSettings,
): Promise<Result> {
  if (await isWithin(result, loadTimeoutMs, clock)) return result;
  throw new SortieError("handler_slow", { spec, done, limit: formatDuration(loadTimeoutMs / 1000) });
}
