import { formatDuration } from "../base/duration.ts";
import { SortieError } from "../base/error.ts";
import type { HandlerOptions } from "./handler-options.ts";

const LOAD_TIMEOUT_MS = 30 * 60 * 1000;

/** The result, or SortieError `handler_slow` where it takes longer than a handler may to be ready. */
export async function waitWithin<Result>(
  result: Promise<Result>,
  done: "imported" | "loaded",
  { spec, loadTimeoutMs = LOAD_TIMEOUT_MS }: HandlerOptions,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const limit = formatDuration(loadTimeoutMs / 1000);
    timer = setTimeout(() => reject(new SortieError("handler_slow", { spec, done, limit })), loadTimeoutMs);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
