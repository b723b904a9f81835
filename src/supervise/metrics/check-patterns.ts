import { SortieError } from "../../base/error.ts";
import type { ChosenTarget } from "../choose-target.ts";

/** A pattern that will not do is refused before anything is launched: nobody reads the warnings of a watcher. @throws metric_pattern_bad */
export async function checkMetricPatterns({ settings }: Pick<ChosenTarget, "settings">): Promise<void> {
  const { value: patterns, source } = settings.metricPattern;
  if (patterns.length === 0) return;
  const { makeUserPattern } = await import("../../metrics/log/user-pattern.ts"); // few projects have any
  for (const pattern of patterns) {
    try {
      makeUserPattern(pattern);
    } catch (fault) {
      if (!(fault instanceof SortieError)) throw fault;
      const reason = `${fault.details["reason"]} (metric_pattern in ${source.text})`;
      throw new SortieError("metric_pattern_bad", { pattern, reason }, fault);
    }
  }
}
